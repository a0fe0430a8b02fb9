import numpy as np


# pythran export vector_sum(float64[])
# pythran export vector_sum(float32[])
def vector_sum(x):
    return np.sum(x)
