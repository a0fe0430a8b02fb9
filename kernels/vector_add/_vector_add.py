# pythran export add(float64[], float64[], float64[])
# pythran export add(float32[], float32[], float32[])
def add(x, y, out):
    out[:] = x + y
