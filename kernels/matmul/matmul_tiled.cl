/* Compute out = a b for matrices of n rows, one work-item per element of the product. A work-group of bx x by loads
   strips of a and b, DEPTH deep, into local memory. There, bx work-items use each number of a, and by work-items use
   each number of b. The strips are arguments in local memory, of DEPTH * by and DEPTH * bx numbers. */

#define DEPTH 32

#define DEFINE_MATMUL(type, dtype)                                                                          \
    kernel void matmul_tiled_##dtype(long n, global const type *restrict a, global const type *restrict b,  \
                                     global type *restrict out, local type *a_strip, local type *b_strip)   \
    {                                                                                                       \
        const long column = get_global_id(0), row = get_global_id(1);                                       \
        const int x = get_local_id(0), y = get_local_id(1), bx = get_local_size(0), by = get_local_size(1); \
        type sum = 0;                                                                                       \
        for (long start = 0; start < n; start += DEPTH) {                                                   \
            for (int k = x; k < DEPTH; k += bx)                                                             \
                a_strip[y * DEPTH + k] = row < n && start + k < n ? a[row * n + start + k] : 0;             \
            for (int k = y; k < DEPTH; k += by)                                                             \
                b_strip[k * bx + x] = column < n && start + k < n ? b[(start + k) * n + column] : 0;        \
            barrier(CLK_LOCAL_MEM_FENCE);                                                                   \
            for (int k = 0; k < DEPTH; k++)                                                                 \
                sum += a_strip[y * DEPTH + k] * b_strip[k * bx + x];                                        \
            barrier(CLK_LOCAL_MEM_FENCE);                                                                   \
        }                                                                                                   \
        if (row < n && column < n)                                                                          \
            out[row * n + column] = sum;                                                                    \
    }

DEFINE_MATMUL(float, float32)

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
DEFINE_MATMUL(double, float64)
#endif
