# pythran export squared_difference(float64[], float64[], float64[])
# pythran export squared_difference(float32[], float32[], float32[])
def squared_difference(x, y, out):
    out[:] = (x - y) ** 2
