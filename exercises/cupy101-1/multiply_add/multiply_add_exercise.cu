/* out = x1 * x2 + b for vectors of n elements, one per thread. The last block may have threads without an element. */

template <typename real>
__device__ void multiply_add(long long n, const real *x1, const real *x2, real b, real *out)
{
    /* Which element does this thread compute, if any? */
}

#define DEFINE_MULTIPLY_ADD(type, dtype)                                                                               \
    extern "C" __global__ void multiply_add_##dtype(long long n, const type *x1, const type *x2, type b, type *out)    \
    {                                                                                                                  \
        multiply_add(n, x1, x2, b, out);                                                                               \
    }

DEFINE_MULTIPLY_ADD(double, float64)
DEFINE_MULTIPLY_ADD(float, float32)
