/* The passes of conjugate gradients for a matrix in CSR, each doing all it can with what it reads. Any number of
   groups will do: work-items take rows a whole range apart.

   start     x = 0, r = p = b, and r.r
   multiply  q = A p, and p.q
   update    with a = r.r / p.q: r -= a q, and the new r.r
   direct    x += a p, and p = r + (new r.r / old r.r) p
   add_up    completes an inner product: launched with one group after each pass but the last

   Each group of a pass leaves its part of an inner product in `sums`. Nothing is divided by zero where steps are
   taken beyond the exact solution: a and the factor of p are 0 then. shared: local memory of a number a work-item. */

#define DEFINE_CONJUGATE_GRADIENT(type, dtype)                                                                   \
    static void add_up_group_##dtype(type mine, global type *sums, local type *shared)                           \
    {                                                                                                            \
        const int me = get_local_id(0);                                                                          \
        shared[me] = mine;                                                                                       \
        for (int active = get_local_size(0); active > 1;) { /* the upper half onto the lower; an odd one waits */ \
            const int middle = (active + 1) / 2;                                                                 \
            barrier(CLK_LOCAL_MEM_FENCE);                                                                        \
            if (me < active - middle)                                                                            \
                shared[me] += shared[me + middle];                                                               \
            active = middle;                                                                                     \
        }                                                                                                        \
        if (me == 0)                                                                                             \
            sums[get_group_id(0)] = shared[0];                                                                   \
    }                                                                                                            \
                                                                                                                 \
    kernel void add_up_##dtype(int groups, global const type *sums, global type *total, local type *shared)      \
    {                                                                                                            \
        type mine = 0;                                                                                           \
        for (int group = get_local_id(0); group < groups; group += get_local_size(0))                            \
            mine += sums[group];                                                                                 \
        add_up_group_##dtype(mine, total, shared);                                                               \
    }                                                                                                            \
                                                                                                                 \
    kernel void start_##dtype(long n, global const type *restrict b, global type *restrict x,                    \
                              global type *restrict residual, global type *restrict direction,                   \
                              global type *sums, local type *shared)                                             \
    {                                                                                                            \
        type mine = 0;                                                                                           \
        for (long i = get_global_id(0); i < n; i += get_global_size(0)) {                                        \
            x[i] = 0;                                                                                            \
            residual[i] = direction[i] = b[i];                                                                   \
            mine += b[i] * b[i];                                                                                 \
        }                                                                                                        \
        add_up_group_##dtype(mine, sums, shared);                                                                \
    }                                                                                                            \
                                                                                                                 \
    kernel void multiply_##dtype(long n, global const type *restrict data, global const int *restrict indices,   \
                                 global const int *restrict indptr, global const type *restrict direction,       \
                                 global type *restrict product, global type *sums, local type *shared)           \
    {                                                                                                            \
        type mine = 0;                                                                                           \
        for (long i = get_global_id(0); i < n; i += get_global_size(0)) {                                        \
            /* idea: q = A p and p.q in one pass */                                                              \
            type sum = 0;                                                                                        \
            for (int k = indptr[i]; k < indptr[i + 1]; k++)                                                      \
                sum += data[k] * direction[indices[k]];                                                          \
            product[i] = sum;                                                                                    \
            mine += direction[i] * sum;                                                                          \
            /* end of idea */                                                                                    \
        }                                                                                                        \
        add_up_group_##dtype(mine, sums, shared);                                                                \
    }                                                                                                            \
                                                                                                                 \
    kernel void update_##dtype(long n, global const type *squared, global const type *curvature,                 \
                               global const type *restrict product, global type *restrict residual,              \
                               global type *sums, local type *shared)                                            \
    {                                                                                                            \
        const type length = *curvature > 0 ? *squared / *curvature : 0;                                          \
        type mine = 0;                                                                                           \
        for (long i = get_global_id(0); i < n; i += get_global_size(0)) {                                        \
            /* idea: r -= a q and the new r.r in one pass */                                                     \
            const type rest = residual[i] - length * product[i];                                                 \
            residual[i] = rest;                                                                                  \
            mine += rest * rest;                                                                                 \
            /* end of idea */                                                                                    \
        }                                                                                                        \
        add_up_group_##dtype(mine, sums, shared);                                                                \
    }                                                                                                            \
                                                                                                                 \
    kernel void direct_##dtype(long n, global const type *squared, global const type *curvature,                 \
                               global const type *squared_now, global const type *restrict residual,             \
                               global type *restrict direction, global type *restrict x)                         \
    {                                                                                                            \
        const type length = *curvature > 0 ? *squared / *curvature : 0;                                          \
        const type ratio = *squared > 0 ? *squared_now / *squared : 0;                                           \
        for (long i = get_global_id(0); i < n; i += get_global_size(0)) {                                        \
            /* idea: x += a p and the new p in one pass */                                                       \
            const type p = direction[i];                                                                         \
            x[i] += length * p;                                                                                  \
            direction[i] = residual[i] + ratio * p;                                                              \
            /* end of idea */                                                                                    \
        }                                                                                                        \
    }

DEFINE_CONJUGATE_GRADIENT(float, float32)

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
DEFINE_CONJUGATE_GRADIENT(double, float64)
#endif
