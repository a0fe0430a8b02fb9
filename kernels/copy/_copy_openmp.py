# pythran export copy(float64[], float64[])
# pythran export copy(float32[], float32[])
def copy(x, out):
    # omp parallel for
    for i in range(out.size):
        out[i] = x[i]
