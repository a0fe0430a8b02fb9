/* out = x, one thread per 16 bytes of each. Arrays begin at multiples of 16 bytes. */

template <typename real> struct alignas(16) Vector {
    real part[16 / sizeof(real)];
};

template <typename real>
__device__ void transfer(long long n, const real *__restrict__ x, real *__restrict__ out)
{
    constexpr int width = 16 / sizeof(real);
    const long long thread = (long long)blockIdx.x * blockDim.x + threadIdx.x, first = thread * width;
    if (first + width <= n)
        ((Vector<real> *)out)[thread] = ((const Vector<real> *)x)[thread];
    else
        for (int k = 0; k < width; k++)
            if (first + k < n)
                out[first + k] = x[first + k];
}

extern "C" __global__ void transfer_float64(long long n, const double *x, double *out)
{
    transfer(n, x, out);
}
