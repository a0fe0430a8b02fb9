/* out = (x - y)^2 for each row of x, with the same y, one work-item per element. x has n = rows * columns elements. */

#define DEFINE_SQUARED_DIFFERENCE_BROADCAST(real, dtype)                                               \
    kernel void squared_difference_broadcast_##dtype(long n, long columns, global const real *x,       \
                                                     global const real *y, global real *out)           \
    {                                                                                                  \
        const long i = get_global_id(0);                                                               \
        if (i < n)                                                                                     \
            out[i] = (x[i] - y[i % columns]) * (x[i] - y[i % columns]);                                \
    }

DEFINE_SQUARED_DIFFERENCE_BROADCAST(float, float32)

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
DEFINE_SQUARED_DIFFERENCE_BROADCAST(double, float64)
#endif
