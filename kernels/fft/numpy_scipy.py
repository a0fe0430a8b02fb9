"""scipy.fft.fft, into a new array; its `workers` share several transforms, and here is only one."""

from scipy import fft


def run(x, out):
    return fft.fft(x) if x.size else None  # SciPy refuses vectors of no elements
