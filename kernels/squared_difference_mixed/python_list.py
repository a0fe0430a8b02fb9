"""List comprehension over Python floats, in double precision always."""


def convert(x, y):
    return x.tolist(), y.tolist()


def run(x, y, out):
    return [(p - q) ** 2 for p, q in zip(x, y, strict=True)]
