"""Python loop over the elements of a NumPy array, each a NumPy scalar."""


def run(a):
    return sum(a[i, i] for i in range(len(a)))
