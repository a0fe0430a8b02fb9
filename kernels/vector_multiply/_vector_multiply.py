# pythran export multiply(float64[], float64[], float64[])
# pythran export multiply(float32[], float32[], float32[])
def multiply(x, y, out):
    out[:] = x * y
