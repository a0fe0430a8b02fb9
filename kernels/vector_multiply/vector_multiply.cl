/* Elementwise product of two vectors, one work-item per element. */

#define DEFINE_VECTOR_MULTIPLY(type, dtype)                                                                      \
    kernel void vector_multiply_##dtype(long n, global const type *restrict x, global const type *restrict y,    \
                                        global type *restrict out)                                               \
    {                                                                                                            \
        const long i = get_global_id(0);                                                                         \
        if (i < n)                                                                                               \
            out[i] = x[i] * y[i];                                                                                \
    }

DEFINE_VECTOR_MULTIPLY(float, float32)

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
DEFINE_VECTOR_MULTIPLY(double, float64)
#endif
