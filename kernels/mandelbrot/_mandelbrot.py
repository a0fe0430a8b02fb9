def steps(a, b, limit):
    re = im = a - a
    step = 0
    while step < limit and re * re + im * im <= 4:
        re, im = re * re - im * im + a, (re + re) * im + b
        step += 1
    return step


# pythran export mandelbrot(float64[], float64[], int32, int32[:, :])
# pythran export mandelbrot(float32[], float32[], int32, int32[:, :])
def mandelbrot(x, y, limit, counts):
    # omp parallel for schedule(dynamic)
    for i in range(y.size):
        for j in range(x.size):
            counts[i, j] = steps(x[j], y[i], limit)
