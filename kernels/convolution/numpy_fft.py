"""scipy.signal.oaconvolve convolves pieces of the signal by Fourier transforms and adds their overlapping results.

A NaN or an infinity turns all results of its piece into NaN, not only the results that depend on it.
"""

from scipy.signal import oaconvolve

ALGORITHM = "Fourier transform"


def run(x, weights, out):
    return oaconvolve(x, weights, "valid")[: out.size]  # at size 0, x is shorter than weights: SciPy swaps them
