"""Inner products of Python floats, in double precision always."""

from operator import mul


def convert(x, weights):
    return x.tolist(), weights.tolist()


def run(x, weights, out):
    backwards, taps = weights[::-1], len(weights)
    return [sum(map(mul, backwards, x[i : i + taps])) for i in range(len(x) - taps + 1)]
