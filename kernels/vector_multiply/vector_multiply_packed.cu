/* Elementwise product of two vectors. A thread loads 16 bytes of each vector at once. This is the widest load of most
   GPUs, so the kernel needs the fewest threads. Vectors are aligned to 16 bytes. */

template <typename Real>
struct alignas(16) Pack {
    Real lane[16 / sizeof(Real)];
};

template <typename Real>
__device__ void multiply(long long n, const Real *__restrict__ x, const Real *__restrict__ y, Real *__restrict__ out)
{
    const int width = 16 / sizeof(Real);
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n / width) {
        // idea: load, multiply and store 16 bytes at once
        Pack<Real> a = reinterpret_cast<const Pack<Real> *>(x)[i];
        const Pack<Real> b = reinterpret_cast<const Pack<Real> *>(y)[i];
        for (int k = 0; k < width; k++)
            a.lane[k] *= b.lane[k];
        reinterpret_cast<Pack<Real> *>(out)[i] = a;
        // end of idea
    } else if (i == n / width) {
#pragma unroll 1
        for (long long rest = i * width; rest < n; rest++)
            out[rest] = x[rest] * y[rest];
    }
}

#define DEFINE_VECTOR_MULTIPLY(Real, dtype)                                                                \
    extern "C" __global__ void vector_multiply_##dtype(long long n, const Real *__restrict__ x,            \
                                                       const Real *__restrict__ y, Real *__restrict__ out) \
    {                                                                                                      \
        multiply(n, x, y, out);                                                                            \
    }

DEFINE_VECTOR_MULTIPLY(double, float64)
DEFINE_VECTOR_MULTIPLY(float, float32)
