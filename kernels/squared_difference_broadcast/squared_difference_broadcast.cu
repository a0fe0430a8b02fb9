/* out = (x - y)^2 for each row of x, with the same y, one thread per element. x has n = rows * columns elements. */

template <typename real>
__device__ void squared_difference(long long n, long long columns, const real *x, const real *y, real *out)
{
    const long long i = (long long)blockDim.x * blockIdx.x + threadIdx.x;
    if (i < n)
        out[i] = (x[i] - y[i % columns]) * (x[i] - y[i % columns]);
}

#define DEFINE_SQUARED_DIFFERENCE_BROADCAST(real, dtype)                                                           \
    extern "C" __global__ void squared_difference_broadcast_##dtype(long long n, long long columns, const real *x, \
                                                                    const real *y, real *out)                      \
    {                                                                                                              \
        squared_difference(n, columns, x, y, out);                                                                 \
    }

DEFINE_SQUARED_DIFFERENCE_BROADCAST(double, float64)
DEFINE_SQUARED_DIFFERENCE_BROADCAST(float, float32)
