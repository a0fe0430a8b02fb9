TILE = 32


# pythran export transpose(float64[:, :], float64[:, :])
# pythran export transpose(float32[:, :], float32[:, :])
def transpose(x, out):
    n = len(x)
    # omp parallel for schedule(static)
    for top in range(0, n, TILE):
        for left in range(0, n, TILE):
            for i in range(top, min(top + TILE, n)):
                for j in range(left, min(left + TILE, n)):
                    out[i, j] = x[j, i]
