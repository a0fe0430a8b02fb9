"""Loop over Python floats, counted in a list."""


def convert(x):
    return (x.tolist(),)


def run(x, counts):
    bins = len(counts)
    found = [0] * bins
    for value in x:
        found[int(value * bins)] += 1
    return found
