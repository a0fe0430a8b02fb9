import numpy as np


# pythran export softplus(float64[], float64[])
# pythran export softplus(float32[], float32[])
def softplus(x, out):
    out[:] = np.maximum(0, x) + np.log1p(np.exp(-abs(x)))
