/* Count the numbers in each of `bins` equal parts of [0, 1), one thread per number, by atomic additions in global
   memory. */

template <typename Real>
__device__ void histogram(long long n, int bins, const Real *x, int *counts)
{
    const long long i = (long long)blockDim.x * blockIdx.x + threadIdx.x;
    const Real bin = i < n ? x[i] * bins : -1;
    if (bin >= 0 && bin < bins)
        atomicAdd(counts + (int)bin, 1);
}

#define DEFINE_HISTOGRAM(Real, dtype)                                                               \
    extern "C" __global__ void histogram_##dtype(long long n, int bins, const Real *x, int *counts) \
    {                                                                                               \
        histogram(n, bins, x, counts);                                                              \
    }

DEFINE_HISTOGRAM(double, float64)
DEFINE_HISTOGRAM(float, float32)
