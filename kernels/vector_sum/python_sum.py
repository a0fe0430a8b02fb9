"""Built-in sum over a list of Python floats, always in double precision."""

ALGORITHM = "in order"


def convert(x):
    return (x.tolist(),)


def run(x):
    return sum(x)
