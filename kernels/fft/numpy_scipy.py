"""scipy.fft.fft, into a new array; its `workers` share out several transforms, and there is one."""

from scipy import fft


def run(x, out):
    return fft.fft(x) if x.size else None  # SciPy refuses vectors of no elements
