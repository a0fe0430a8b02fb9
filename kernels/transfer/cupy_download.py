"""ndarray.get with out=: from the device to a preallocated NumPy array in pageable memory."""

import cupy as cp


def convert(x):
    return (cp.asarray(x),)


def run(x, out):
    x.get(out=out)
