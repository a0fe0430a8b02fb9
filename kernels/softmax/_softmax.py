import numpy as np


# pythran export softmax(float64[:, :], float64[:, :])
# pythran export softmax(float32[:, :], float32[:, :])
def softmax(x, out):
    # omp parallel for schedule(static)
    for i in range(len(x)):
        out[i] = np.exp(x[i] - np.max(x[i]))
        out[i] /= np.sum(out[i])
