# pythran export cumsum(float64[], float64[])
# pythran export cumsum(float32[], float32[])
def cumsum(x, out):
    total = x.dtype.type(0)
    for i in range(x.size):
        total += x[i]
        out[i] = total
