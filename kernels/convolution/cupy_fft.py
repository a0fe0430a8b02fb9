"""cupyx.scipy.signal.oaconvolve: Fourier transforms of pieces of the signal by cuFFT, whose overlaps are added."""

from cupyx.scipy.signal import oaconvolve


def run(x, weights, out):
    return oaconvolve(x, weights, "valid")[: out.size]  # at size 0, x is the shorter one, and the two swap roles
