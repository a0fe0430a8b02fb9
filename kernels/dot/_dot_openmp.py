# pythran export dot(float64[], float64[])
# pythran export dot(float32[], float32[])
def dot(x, y):
    total = x.dtype.type(0)
    # omp parallel for reduction(+:total)
    for i in range(x.size):
        total += x[i] * y[i]
    return total
