"""The difference times itself with pyopencl.array, two new arrays each time."""


def run(x, y, out):
    difference = x - y
    return difference * difference
