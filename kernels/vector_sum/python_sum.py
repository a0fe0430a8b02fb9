"""Built-in sum over a list of Python floats, in double precision always."""

ALGORITHM = "in order"


def convert(x):
    return (x.tolist(),)


def run(x):
    return sum(x)
