"""list.copy: copies references to Python floats, not the floats."""


def convert(x):
    return (x.tolist(),)


def run(x, out):
    return x.copy()
