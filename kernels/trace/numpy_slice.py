"""The sum of a strided view: every (n + 1)-th element of the flattened matrix."""


def run(a):
    return a.reshape(-1)[:: len(a) + 1].sum()
