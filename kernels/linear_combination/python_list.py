"""List comprehension over Python floats, in double precision always."""


def convert(a, x, b, y):
    return float(a), x.tolist(), float(b), y.tolist()


def run(a, x, b, y, z):
    return [a * p + b * q for p, q in zip(x, y, strict=True)]
