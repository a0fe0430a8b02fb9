"""scipy.signal.convolve chooses between direct sums and a Fourier transform, and makes a new array."""

from scipy.signal import convolve

ALGORITHM = "Fourier transform"


def run(x, weights, out):
    return convolve(x, weights, "valid")[: out.size]  # at size 0, x is shorter than weights: SciPy swaps them
