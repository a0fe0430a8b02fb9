"""scipy.signal.oaconvolve: Fourier transforms of pieces of the signal, whose overlapping results are added.

A NaN or an infinity turns all results of its piece into NaN, not only those that depend on it.
"""

from scipy.signal import oaconvolve

ALGORITHM = "Fourier transform"


def run(x, weights, out):
    return oaconvolve(x, weights, "valid")[: out.size]  # at size 0, x is the shorter one, and SciPy swaps both
