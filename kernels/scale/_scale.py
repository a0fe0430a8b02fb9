# pythran export scale(float64, float64[], float64[])
# pythran export scale(float32, float32[], float32[])
def scale(factor, x, y):
    y[:] = factor * x
