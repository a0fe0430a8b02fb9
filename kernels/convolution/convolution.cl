/* Convolution of n + taps - 1 elements to n, one work-item per output, which gathers its inputs: from global memory, or
   tiled, from the piece of x that its work-group needs, brought to local memory (local size + taps - 1 elements). The
   weights, the same for all, are in constant memory. */

#define DEFINE_CONVOLUTION(type, dtype)                                                                          \
    kernel void convolution_gather_##dtype(long n, int taps, global const type *restrict x,                      \
                                           constant type *weights, global type *restrict out)                    \
    {                                                                                                            \
        const long i = get_global_id(0);                                                                         \
        if (i >= n)                                                                                              \
            return;                                                                                              \
        type sum = 0;                                                                                            \
        for (int k = 0; k < taps; k++)                                                                           \
            sum += weights[k] * x[i + taps - 1 - k];                                                             \
        out[i] = sum;                                                                                            \
    }                                                                                                            \
                                                                                                                 \
    kernel void convolution_tiled_##dtype(long n, int taps, global const type *restrict x,                       \
                                          constant type *weights, global type *restrict out, local type *tile)   \
    {                                                                                                            \
        const int me = get_local_id(0), size = get_local_size(0);                                                \
        const long i = get_global_id(0), start = i - me;                                                         \
        for (int j = me; j < size + taps - 1 && start + j < n + taps - 1; j += size)                             \
            tile[j] = x[start + j];                                                                              \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                            \
        if (i >= n)                                                                                              \
            return;                                                                                              \
        type sum = 0;                                                                                            \
        for (int k = 0; k < taps; k++)                                                                           \
            sum += weights[k] * tile[me + taps - 1 - k];                                                         \
        out[i] = sum;                                                                                            \
    }

DEFINE_CONVOLUTION(float, float32)

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
DEFINE_CONVOLUTION(double, float64)
#endif
