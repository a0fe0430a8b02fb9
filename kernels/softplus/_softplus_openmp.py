import numpy as np


# pythran export softplus(float64[], float64[])
# pythran export softplus(float32[], float32[])
def softplus(x, out):
    # omp parallel for
    for i in range(out.size):
        out[i] = max(x[i], x.dtype.type(0)) + np.log1p(np.exp(-abs(x[i])))
