import numpy as np


# pythran export deviation(float64[])
# pythran export deviation(float32[])
def deviation(x):
    total = squares = 0.0
    for i in range(x.size):
        total += x[i]
    mean = total / x.size
    for i in range(x.size):
        squares += (x[i] - mean) ** 2
    return np.sqrt(squares / x.size)
