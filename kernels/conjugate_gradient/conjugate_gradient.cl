/* The operations of conjugate gradients, one per launch, a row or an element per work-item; the matrix is in CSR.

   start     x = 0 and r = p = b
   multiply  q = A p
   dot       an inner product, a sum per group: each work-item adds up elements a whole range apart, then the group adds
             up its work-items' sums as a tree in local memory, an element each; add_up, in one group, adds up these
   axpy      y = y + factor x
   xpay      y = x + factor y */

#define SUM_OF_GROUP(shared, mine, sum)                                                                           \
    const int me = get_local_id(0);                                                                               \
    shared[me] = mine;                                                                                            \
    for (int active = get_local_size(0); active > 1;) { /* the upper half onto the lower; an odd one out waits */ \
        const int middle = (active + 1) / 2;                                                                      \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                             \
        if (me < active - middle)                                                                                 \
            shared[me] += shared[me + middle];                                                                    \
        active = middle;                                                                                          \
    }                                                                                                             \
    if (me == 0)                                                                                                  \
        sum = shared[0];

#define DEFINE_CONJUGATE_GRADIENT(real, dtype)                                                                 \
    kernel void start_##dtype(long n, global const real *b, global real *x, global real *residual,             \
                              global real *direction)                                                          \
    {                                                                                                          \
        const long i = get_global_id(0);                                                                       \
        if (i < n) {                                                                                           \
            x[i] = 0;                                                                                          \
            residual[i] = direction[i] = b[i];                                                                 \
        }                                                                                                      \
    }                                                                                                          \
                                                                                                               \
    kernel void multiply_##dtype(long n, global const real *data, global const int *indices,                   \
                                 global const int *indptr, global const real *direction, global real *product) \
    {                                                                                                          \
        const long row = get_global_id(0);                                                                     \
        if (row >= n)                                                                                          \
            return;                                                                                            \
        /* idea: a work-item, a row */                                                                         \
        real sum = 0;                                                                                          \
        for (int k = indptr[row]; k < indptr[row + 1]; k++)                                                    \
            sum += data[k] * direction[indices[k]];                                                            \
        product[row] = sum;                                                                                    \
        /* end of idea */                                                                                      \
    }                                                                                                          \
                                                                                                               \
    kernel void dot_##dtype(long n, global const real *x, global const real *y, global real *sums,             \
                            local real *shared)                                                                \
    {                                                                                                          \
        real mine = 0;                                                                                         \
        for (long i = get_global_id(0); i < n; i += get_global_size(0))                                        \
            mine += x[i] * y[i];                                                                               \
        SUM_OF_GROUP(shared, mine, sums[get_group_id(0)])                                                      \
    }                                                                                                          \
                                                                                                               \
    kernel void add_up_##dtype(long n, global const real *sums, global real *total, local real *shared)        \
    {                                                                                                          \
        real mine = 0;                                                                                         \
        for (long i = get_local_id(0); i < n; i += get_local_size(0))                                          \
            mine += sums[i];                                                                                   \
        SUM_OF_GROUP(shared, mine, *total)                                                                     \
    }                                                                                                          \
                                                                                                               \
    kernel void axpy_##dtype(long n, real factor, global const real *x, global real *y)                        \
    {                                                                                                          \
        const long i = get_global_id(0);                                                                       \
        if (i < n)                                                                                             \
            y[i] += factor * x[i];                                                                             \
    }                                                                                                          \
                                                                                                               \
    kernel void xpay_##dtype(long n, real factor, global const real *x, global real *y)                        \
    {                                                                                                          \
        const long i = get_global_id(0);                                                                       \
        if (i < n)                                                                                             \
            y[i] = x[i] + factor * y[i];                                                                       \
    }

DEFINE_CONJUGATE_GRADIENT(float, float32)

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
DEFINE_CONJUGATE_GRADIENT(double, float64)
#endif
