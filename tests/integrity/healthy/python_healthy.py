"""Doubles its input in a loop over a list."""


def convert(x):
    return (x.tolist(),)


def run(x, y):
    for i, value in enumerate(x):
        y[i] = 2 * value
