"""sorted() of a list of Python floats; with NaN among them, they end in no order."""


def convert(x):
    return (x.tolist(),)


def run(x, out):
    return sorted(x)
