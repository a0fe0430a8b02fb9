"""cupyx.scipy.signal.oaconvolve: Fourier transforms of pieces of the signal by cuFFT, whose overlaps are added."""

from cupyx.scipy.signal import oaconvolve


def run(x, weights, out):
    return oaconvolve(x, weights, "valid")[: out.size]  # with x the shorter one, at size 0, the two change roles
