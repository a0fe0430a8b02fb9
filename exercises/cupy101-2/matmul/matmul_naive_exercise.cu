/* out = a b for matrices of n rows and n columns, stored row by row. A thread's x gives the column and y the row of its
   element, so that neighbouring threads read neighbouring numbers of b. */

template <typename real> __device__ void multiply(long long n, const real *a, const real *b, real *out)
{
    /* Which element of the product does this thread compute, if any? Which numbers of a and b does it need? */
}

#define DEFINE_MATMUL(type, dtype)                                                                                     \
    extern "C" __global__ void matmul_##dtype(long long n, const type *a, const type *b, type *out)                    \
    {                                                                                                                  \
        multiply(n, a, b, out);                                                                                        \
    }

DEFINE_MATMUL(double, float64)
DEFINE_MATMUL(float, float32)
