# pythran export vector_sum(float64[])
# pythran export vector_sum(float32[])
def vector_sum(x):
    total = x.dtype.type(0)
    # omp parallel for reduction(+:total)
    for i in range(x.size):
        total += x[i]
    return total
