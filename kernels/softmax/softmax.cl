/* Compute the softmax of each row by one work-group. A work-item computes maximum, exponentials and sum of
   elements with a stride of the group's size. The group combines the work-items' results by a tree in local memory. */

#define DEFINE_TREE(real, name, combined)                                                                     \
    real name(local real *shared, real mine)                                                                  \
    {                                                                                                         \
        const int me = get_local_id(0);                                                                       \
        shared[me] = mine;                                                                                    \
        for (int active = get_local_size(0); active > 1;) { /* if active is odd, the middle number stays */  \
            const int middle = (active + 1) / 2;                                                              \
            barrier(CLK_LOCAL_MEM_FENCE);                                                                     \
            if (me < active - middle) {                                                                       \
                const real a = shared[me], b = shared[me + middle];                                           \
                shared[me] = combined;                                                                        \
            }                                                                                                 \
            active = middle;                                                                                  \
        }                                                                                                     \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                         \
        const real all = shared[0];                                                                           \
        barrier(CLK_LOCAL_MEM_FENCE); /* all must read shared[0] before the next tree begins */               \
        return all;                                                                                           \
    }

#define DEFINE_SOFTMAX(real, dtype)                                                                       \
    DEFINE_TREE(real, maximum_##dtype, a > b ? a : b)                                                     \
    DEFINE_TREE(real, sum_##dtype, a + b)                                                                 \
    kernel void softmax_##dtype(long columns, global const real *x, global real *out, local real *shared) \
    {                                                                                                     \
        const long me = get_local_id(0), size = get_local_size(0);                                        \
        global const real *const row = x + get_group_id(0) * columns;                                     \
        global real *const result = out + get_group_id(0) * columns;                                      \
        /* idea: a row stays in its group from its maximum to its quotients */                            \
        real top = row[0], total = 0;                                                                     \
        for (long j = me; j < columns; j += size)                                                         \
            top = row[j] > top ? row[j] : top;                                                            \
        top = maximum_##dtype(shared, top);                                                               \
        for (long j = me; j < columns; j += size)                                                         \
            total += result[j] = exp(row[j] - top);                                                       \
        total = sum_##dtype(shared, total);                                                               \
        for (long j = me; j < columns; j += size)                                                         \
            result[j] /= total;                                                                           \
        /* end of idea */                                                                                 \
    }

DEFINE_SOFTMAX(float, float32)

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
DEFINE_SOFTMAX(double, float64)
#endif
