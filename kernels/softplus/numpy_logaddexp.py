"""numpy.logaddexp: log(exp(x) + exp(0)), one ufunc and one pass."""

import numpy as np


def run(x, out):
    np.logaddexp(x, 0, out=out)
