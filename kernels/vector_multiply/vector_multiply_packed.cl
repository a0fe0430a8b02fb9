/* Elementwise product of two vectors. A work-item loads 16 bytes of each vector, the widest load of most GPUs. One
   more work-item computes the remaining elements. */

#define DEFINE_VECTOR_MULTIPLY(type, width, dtype)                                                               \
    kernel void vector_multiply_##dtype(long n, global const type *restrict x, global const type *restrict y,    \
                                        global type *restrict out)                                               \
    {                                                                                                            \
        const long i = get_global_id(0);                                                                         \
        if (i < n / width)                                                                                       \
            ((global type##width *)out)[i] =                                                                     \
                ((global const type##width *)x)[i] * ((global const type##width *)y)[i];                         \
        else if (i == n / width)                                                                                 \
            for (long rest = i * width; rest < n; rest++)                                                        \
                out[rest] = x[rest] * y[rest];                                                                   \
    }

DEFINE_VECTOR_MULTIPLY(float, 4, float32)

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
DEFINE_VECTOR_MULTIPLY(double, 2, float64)
#endif
