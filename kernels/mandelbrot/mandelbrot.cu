/* Count the steps z <- z**2 + c, from z = 0, until |z| exceeds 2, for n rows of n points c. One thread per point. */

template <typename Real>
__device__ void mandelbrot(long long n, const Real *x, const Real *y, int limit, int *counts)
{
    const long long column = (long long)blockDim.x * blockIdx.x + threadIdx.x;
    const long long row = (long long)blockDim.y * blockIdx.y + threadIdx.y;
    if (row >= n || column >= n)
        return;
    const Real a = x[column], b = y[row];
    Real re = 0, im = 0;
    int step = 0;
    while (step < limit && re * re + im * im <= 4) {
        const Real next = re * re - im * im + a;
        im = 2 * re * im + b;
        re = next;
        step++;
    }
    counts[row * n + column] = step;
}

#define DEFINE_MANDELBROT(Real, dtype)                                                                  \
    extern "C" __global__ void mandelbrot_##dtype(long long n, const Real *x, const Real *y, int limit, \
                                                  int *counts)                                          \
    {                                                                                                   \
        mandelbrot(n, x, y, limit, counts);                                                             \
    }

DEFINE_MANDELBROT(double, float64)
DEFINE_MANDELBROT(float, float32)
