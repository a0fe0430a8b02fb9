/* out = x + a * y. Each thread computes EACH vectors of 16 bytes with a stride of blockDim.x. It reads all of them
   before it writes any. The hints __ldcs and __stcs mark data as used once, so that caches evict it first. Arrays are
   aligned to 16 bytes. */

__device__ double2 triad(double a, double2 x, double2 y)
{
    return make_double2(x.x + a * y.x, x.y + a * y.y);
}

__device__ float4 triad(float a, float4 x, float4 y)
{
    return make_float4(x.x + a * y.x, x.y + a * y.y, x.z + a * y.z, x.w + a * y.w);
}

template <int EACH, typename Vector, typename Real>
__device__ void triads(long long n, Real a, const Real *__restrict__ x, const Real *__restrict__ y,
                       Real *__restrict__ out)
{
    const Vector *x_vectors = reinterpret_cast<const Vector *>(x), *y_vectors = reinterpret_cast<const Vector *>(y);
    Vector *out_vectors = reinterpret_cast<Vector *>(out);
    const int width = sizeof(Vector) / sizeof(Real);
    const long long first = (long long)blockIdx.x * blockDim.x * EACH + threadIdx.x, vectors = n / width;
    // idea: read all vectors before writing any, with hints that the data are used once
    Vector from_x[EACH], from_y[EACH];
#pragma unroll
    for (int k = 0; k < EACH; k++)
        if (first + k * blockDim.x < vectors) {
            from_x[k] = __ldcs(x_vectors + first + k * blockDim.x);
            from_y[k] = __ldcs(y_vectors + first + k * blockDim.x);
        }
#pragma unroll
    for (int k = 0; k < EACH; k++)
        if (first + k * blockDim.x < vectors)
            __stcs(out_vectors + first + k * blockDim.x, triad(a, from_x[k], from_y[k]));
    // end of idea
    if (blockIdx.x == 0)
        for (long long i = vectors * width + threadIdx.x; i < n; i += blockDim.x)
            out[i] = x[i] + a * y[i];
}

#define DEFINE_PEAK_TRIAD(Real, Vector, dtype, each)                                                         \
    extern "C" __global__ void peak_triad_##dtype##_##each(                                                  \
        long long n, Real a, const Real *__restrict__ x, const Real *__restrict__ y, Real *__restrict__ out) \
    {                                                                                                        \
        triads<each, Vector>(n, a, x, y, out);                                                               \
    }

DEFINE_PEAK_TRIAD(double, double2, float64, 1)
DEFINE_PEAK_TRIAD(float, float4, float32, 1)
DEFINE_PEAK_TRIAD(double, double2, float64, 4)
DEFINE_PEAK_TRIAD(float, float4, float32, 4)
