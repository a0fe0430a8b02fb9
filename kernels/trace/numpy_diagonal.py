"""The sum of ndarray.diagonal, a view, without the overhead of numpy.trace."""


def run(a):
    return a.diagonal().sum()
