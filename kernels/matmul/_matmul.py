# pythran export matmul(float64[:, :], float64[:, :], float64[:, :])
# pythran export matmul(float32[:, :], float32[:, :], float32[:, :])
def matmul(a, b, out):
    n = len(out)
    # omp parallel for schedule(static)
    for i in range(n):
        out[i, :] = 0
        for k in range(n):
            for j in range(n):
                out[i, j] += a[i, k] * b[k, j]
