"""List comprehension over Python floats, in double precision always."""


def convert(x1, x2, b):
    return x1.tolist(), x2.tolist(), float(b)


def run(x1, x2, b, out):
    return [p * q + b for p, q in zip(x1, x2, strict=True)]
