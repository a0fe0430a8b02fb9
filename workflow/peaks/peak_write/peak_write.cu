/* out = a. Each thread writes EACH vectors of 16 bytes with a stride of blockDim.x. The hint __stcs marks data as used
   once, so that caches evict it first. Arrays are aligned to 16 bytes. */

template <int EACH, typename Vector, typename Real>
__device__ void write(long long n, Real a, Vector value, Real *__restrict__ out)
{
    const int width = sizeof(Vector) / sizeof(Real);
    const long long first = (long long)blockIdx.x * blockDim.x * EACH + threadIdx.x, vectors = n / width;
#pragma unroll
    for (int k = 0; k < EACH; k++)
        if (first + k * blockDim.x < vectors)
            __stcs(reinterpret_cast<Vector *>(out) + first + k * blockDim.x, value);
    if (blockIdx.x == 0)
        for (long long i = vectors * width + threadIdx.x; i < n; i += blockDim.x)
            out[i] = a;
}

#define DEFINE_PEAK_WRITE(Real, vector, dtype, each)                                                    \
    extern "C" __global__ void peak_write_##dtype##_##each(long long n, Real a, Real *__restrict__ out) \
    {                                                                                                   \
        write<each>(n, a, vector, out);                                                                 \
    }

DEFINE_PEAK_WRITE(double, make_double2(a, a), float64, 1)
DEFINE_PEAK_WRITE(float, make_float4(a, a, a, a), float32, 1)
DEFINE_PEAK_WRITE(double, make_double2(a, a), float64, 4)
DEFINE_PEAK_WRITE(float, make_float4(a, a, a, a), float32, 4)
