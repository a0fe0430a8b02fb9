"""List comprehension over Python floats, always in double precision."""


def convert(a, x, y):
    return float(a), x.tolist(), y.tolist()


def run(a, x, y, out):
    return [a * p + q for p, q in zip(x, y, strict=True)]
