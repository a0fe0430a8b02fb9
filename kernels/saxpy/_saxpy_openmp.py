# pythran export saxpy(float64, float64[], float64[], float64[])
# pythran export saxpy(float32, float32[], float32[], float32[])
def saxpy(a, x, y, out):
    # omp parallel for
    for i in range(out.size):
        out[i] = a * x[i] + y[i]
