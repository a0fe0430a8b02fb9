"""Built-in max over a list of Python floats, in double precision always.

NaN is not larger than anything: it is passed over unless it comes first. NumPy makes it the result.
"""

import numpy as np


def convert(x):
    return (x.tolist(),)


def prepare(case):
    lowest = float(np.finfo(case.dtype).min)
    return lambda x: max(x, default=lowest)
