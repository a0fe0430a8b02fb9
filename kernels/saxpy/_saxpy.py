# pythran export saxpy(float64, float64[], float64[], float64[])
# pythran export saxpy(float32, float32[], float32[], float32[])
def saxpy(a, x, y, out):
    out[:] = a * x + y
