import numpy as np


# pythran export deviation(float64[])
# pythran export deviation(float32[])
def deviation(x):
    mean = np.sum(x, dtype=np.float64) / x.size
    return np.sqrt(np.sum((x - mean) ** 2) / x.size)
