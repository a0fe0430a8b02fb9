# pythran export histogram(float64[], int32[])
# pythran export histogram(float32[], int32[])
def histogram(x, counts):
    counts[:] = 0
    for i in range(x.size):
        bin = x[i] * counts.size
        if 0 <= bin < counts.size:
            counts[int(bin)] += 1
