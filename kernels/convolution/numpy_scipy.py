"""scipy.signal.convolve, which chooses between sums and a Fourier transform, into a new array."""

from scipy.signal import convolve


def run(x, weights, out):
    return convolve(x, weights, "valid")[: out.size]  # with x the shorter one, at size 0, the two change roles
