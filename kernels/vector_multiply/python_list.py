"""List comprehension over Python floats, always in double precision."""


def convert(x, y):
    return x.tolist(), y.tolist()


def run(x, y, out):
    return [a * b for a, b in zip(x, y, strict=True)]
