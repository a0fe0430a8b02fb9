# pythran export scale(float64, float64[], float64[])
# pythran export scale(float32, float32[], float32[])
def scale(factor, x, y):
    # omp parallel for
    for i in range(y.size):
        y[i] = factor * x[i]
