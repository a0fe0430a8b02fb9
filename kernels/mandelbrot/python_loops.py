"""Loops over Python floats, in double precision always."""


def convert(x, y, limit):
    return x.tolist(), y.tolist(), int(limit)


def steps(a, b, limit):
    re = im = 0.0
    for step in range(limit):
        re, im = re * re - im * im + a, 2 * re * im + b
        if re * re + im * im > 4:
            return step + 1
    return limit


def run(x, y, limit, counts):
    for i, b in enumerate(y):
        counts[i] = [steps(a, b, limit) for a in x]
