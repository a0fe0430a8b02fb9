/* Every third of x's rows, `rows` of them: elements of a row in the first dimension, rows in the second. */

#define DEFINE_SLICING(real, dtype)                                                              \
    kernel void slicing_##dtype(long rows, long columns, global const real *x, global real *out) \
    {                                                                                            \
        const long i = get_global_id(1), j = get_global_id(0);                                   \
        if (i < rows && j < columns)                                                             \
            out[i * columns + j] = x[3 * i * columns + j];                                       \
    }

DEFINE_SLICING(float, float32)

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
DEFINE_SLICING(double, float64)
#endif
