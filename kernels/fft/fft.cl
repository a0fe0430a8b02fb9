/* One stage of a Fourier transform by Stockham's algorithm, n a power of two: n / length transforms of `length`
   elements, side by side, become half as many of twice that length. A work-item makes two elements. Complex numbers
   are vectors of two reals; roots: exp(-2 pi i k / n) for k < n / 2. */

#define DEFINE_FFT(pair, dtype)                                                                                  \
    kernel void fft_##dtype(long n, long length, global const pair *restrict from, global pair *restrict to,     \
                            global const pair *restrict roots)                                                   \
    {                                                                                                            \
        const long half_way = n / 2, stride = half_way / length, i = get_global_id(0);                           \
        if (i >= half_way)                                                                                       \
            return;                                                                                              \
        const long k = i / stride;                                                                               \
        const pair even = from[i + k * stride], odd = from[i + (k + 1) * stride], root = roots[k * stride];      \
        const pair turned = (pair)(root.x * odd.x - root.y * odd.y, root.x * odd.y + root.y * odd.x);            \
        to[i] = even + turned;                                                                                   \
        to[i + half_way] = even - turned;                                                                        \
    }

DEFINE_FFT(float2, complex64)

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
DEFINE_FFT(double2, complex128)
#endif
