"""ndarray.sort of a copy, in SIMD lanes."""


def run(x, out):
    out[:] = x
    out.sort()
