"""List comprehension over Python floats, in double precision always."""


def convert(factor, x):
    return float(factor), x.tolist()


def run(factor, x, y):
    return [factor * number for number in x]
