"""sorted() of a list of Python floats, which NaN leaves in no order."""


def convert(x):
    return (x.tolist(),)


def run(x, out):
    return sorted(x)
