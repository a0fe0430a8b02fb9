"""Every (n + 1)-th element of the matrix as one long vector, a view, and its sum."""


def run(a):
    return a.reshape(-1)[:: len(a) + 1].sum()
