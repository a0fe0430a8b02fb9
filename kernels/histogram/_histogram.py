# pythran export histogram(float64[], int32[])
# pythran export histogram(float32[], int32[])
def histogram(x, counts):
    counts[:] = 0
    for i in range(x.size):
        counts[int(x[i] * counts.size)] += 1
