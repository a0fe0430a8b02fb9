"""The sum of ndarray.diagonal, a view: NumPy's general machinery for a trace costs more than the additions."""


def run(a):
    return a.diagonal().sum()
