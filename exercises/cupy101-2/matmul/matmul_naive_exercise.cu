/* out = a b for matrices of n rows and n columns, stored row by row. x runs along columns, y along rows: neighbouring
   threads then read neighbouring numbers of b. */

template <typename real> __device__ void multiply(long long n, const real *a, const real *b, real *out)
{
    /* Which element of the product is this thread's, if any, and which numbers of a and b does it need? */
}

#define DEFINE_MATMUL(type, dtype)                                                                                     \
    extern "C" __global__ void matmul_##dtype(long long n, const type *a, const type *b, type *out)                    \
    {                                                                                                                  \
        multiply(n, a, b, out);                                                                                        \
    }

DEFINE_MATMUL(double, float64)
DEFINE_MATMUL(float, float32)
