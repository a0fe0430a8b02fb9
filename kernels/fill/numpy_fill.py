"""ndarray.fill into a preallocated array."""


def run(out):
    out.fill(1)
