"""statistics.pstdev over a list of Python floats: exact until the last step, by fractions.

NaN and infinities have no fraction: they raise AttributeError, where NumPy makes NaN.
"""

from math import nan
from statistics import pstdev


def convert(x):
    return (x.tolist(),)


def run(x):
    return pstdev(x) if x else nan
