"""List comprehension over Python floats."""


def convert(x):
    return (x.tolist(),)


def run(x, out):
    kept = [value for value in x if value > 0.5]
    return kept + [0.0] * (len(x) - len(kept)), len(kept)
