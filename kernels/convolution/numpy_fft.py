"""scipy.signal.oaconvolve: Fourier transforms of pieces of the signal, whose overlaps are added.

A NaN or an infinity makes NaN of all results of its piece, not only of those that it has a weight in.
"""

from scipy.signal import oaconvolve


def run(x, weights, out):
    return oaconvolve(x, weights, "valid")[: out.size]  # with x the shorter one, at size 0, the two change roles
