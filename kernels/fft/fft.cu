/* One stage of a Fourier transform by Stockham's algorithm, n a power of two: n / length transforms of `length`
   elements, side by side, become half as many of twice that length. A thread makes two elements. Complex numbers are
   two reals; roots: exp(-2 pi i k / n) for k < n / 2. */

template <typename real> struct alignas(2 * sizeof(real)) Complex {
    real re, im;
};

template <typename real>
__device__ void stage(long long n, long long length, const Complex<real> *__restrict__ from,
                      Complex<real> *__restrict__ to, const Complex<real> *__restrict__ roots)
{
    const long long half = n / 2, stride = half / length, i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= half)
        return;
    const long long k = i / stride;
    const Complex<real> even = from[i + k * stride], odd = from[i + (k + 1) * stride], root = roots[k * stride];
    const Complex<real> turned = {root.re * odd.re - root.im * odd.im, root.re * odd.im + root.im * odd.re};
    to[i] = {even.re + turned.re, even.im + turned.im};
    to[i + half] = {even.re - turned.re, even.im - turned.im};
}

#define DEFINE_FFT(type, dtype)                                                                                        \
    extern "C" __global__ void fft_##dtype(long long n, long long length, const Complex<type> *from,                   \
                                           Complex<type> *to, const Complex<type> *roots)                              \
    {                                                                                                                  \
        stage(n, length, from, to, roots);                                                                             \
    }

DEFINE_FFT(double, complex128)
DEFINE_FFT(float, complex64)
