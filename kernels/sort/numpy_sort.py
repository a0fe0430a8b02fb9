"""ndarray.sort of a copy, on SIMD lanes."""


def run(x, out):
    out[:] = x
    out.sort()
