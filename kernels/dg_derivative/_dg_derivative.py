import numpy as np


# pythran export dg_derivative(float64[:, :, :], float64[:, :], float64[:, :, :], float64[:, :, :])
# pythran export dg_derivative(float32[:, :, :], float32[:, :], float32[:, :, :], float32[:, :, :])
def dg_derivative(matrices, u, factors, out):
    elements, nodes = u.shape
    # omp parallel for schedule(static)
    for e in range(elements):
        along = np.zeros((3, nodes), u.dtype)
        for b in range(nodes):
            for c in range(3):
                for a in range(nodes):
                    along[c, a] += u[e, b] * matrices[b, c, a]
        for i in range(3):
            for a in range(nodes):
                r, s, t = along[0, a], along[1, a], along[2, a]
                out[e, i, a] = factors[e, i, 0] * r + factors[e, i, 1] * s + factors[e, i, 2] * t
