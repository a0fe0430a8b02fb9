"""scipy.signal.oaconvolve: Fourier transforms of pieces of the signal, whose overlaps are added.

A NaN or an infinity makes all results of its piece NaN, not only those that it contributes to.
"""

from scipy.signal import oaconvolve

ALGORITHM = "Fourier transform"


def run(x, weights, out):
    return oaconvolve(x, weights, "valid")[: out.size]  # at size 0, x is the shorter one, and the two swap roles
