"""scipy.signal.convolve, which chooses between direct sums and a Fourier transform, into a new array."""

from scipy.signal import convolve

ALGORITHM = "Fourier transform"


def run(x, weights, out):
    return convolve(x, weights, "valid")[: out.size]  # at size 0, x is the shorter one, and SciPy swaps both
