import numpy as np


# pythran export sort(float64[], float64[])
# pythran export sort(float32[], float32[])
def sort(x, out):
    out[:] = np.sort(x)
