/* The elements above 0.5, then zeros, in two launches of the same work-groups, each with a part of `items` elements.

   count: each group counts what is kept of its part, as a tree in local memory in the end (a number per work-item).

   move: each group adds up the counts of the groups before it and moves its part, tile after tile. The zeros and ones
   of a tile are written to local memory in order, EACH per work-item and a cell for their sum. Each work-item scans its
   own, then the group scans the sums by doubling. The number kept up to an element then is its place; the number
   dropped before it says which place at the end gets a zero. */

#define EACH 8

#define TREE_SUM(shared, me, size)                                                                                     \
    for (int active = size; active > 1;) { /* the upper half onto the lower; an odd one out waits */                   \
        const int middle = (active + 1) / 2;                                                                           \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                                  \
        if (me < active - middle)                                                                                      \
            shared[me] += shared[me + middle];                                                                         \
        active = middle;                                                                                               \
    }                                                                                                                  \
    barrier(CLK_LOCAL_MEM_FENCE);

#define DEFINE_COMPACT(type, dtype)                                                                                    \
    kernel void compact_count_##dtype(long n, long items, global const type *x, global long *counts,                   \
                                      local long *shared)                                                              \
    {                                                                                                                  \
        const int me = get_local_id(0), size = get_local_size(0);                                                      \
        const long begin = get_group_id(0) * items, end = min(n, begin + items);                                       \
        long mine = 0;                                                                                                 \
        for (long i = begin + me; i < end; i += size)                                                                  \
            mine += x[i] > (type)0.5;                                                                                  \
        shared[me] = mine;                                                                                             \
        TREE_SUM(shared, me, size)                                                                                     \
        if (me == 0)                                                                                                   \
            counts[get_group_id(0)] = shared[0];                                                                       \
    }                                                                                                                  \
                                                                                                                       \
    kernel void compact_move_##dtype(long n, long items, global const type *x, global const long *counts,              \
                                     global type *out, global long *count, local long *shared, local int *kept)        \
    {                                                                                                                  \
        const int me = get_local_id(0), size = get_local_size(0), group = get_group_id(0);                             \
        const long begin = group * items, end = min(n, begin + items);                                                 \
        long start = 0;                                                                                                \
        for (int before = me; before < group; before += size)                                                          \
            start += counts[before];                                                                                   \
        shared[me] = start;                                                                                            \
        TREE_SUM(shared, me, size)                                                                                     \
        start = shared[0];                                                                                             \
        for (long tile = begin; tile < end; tile += size * EACH) {                                                     \
            barrier(CLK_LOCAL_MEM_FENCE);                                                                              \
            for (int j = me; j < size * EACH; j += size)                                                               \
                kept[j + j / EACH] = tile + j < end ? x[tile + j] > (type)0.5 : 0;                                     \
            barrier(CLK_LOCAL_MEM_FENCE);                                                                              \
            local int *const mine = kept + me * (EACH + 1);                                                            \
            /* idea: how many are kept up to each element */                                                           \
            int total = 0;                                                                                             \
            for (int k = 0; k < EACH; k++)                                                                             \
                mine[k] = total += mine[k];                                                                            \
            mine[EACH] = total;                                                                                        \
            for (int distance = 1; distance < size; distance *= 2) {                                                   \
                barrier(CLK_LOCAL_MEM_FENCE);                                                                          \
                const int other = me >= distance ? kept[(me - distance) * (EACH + 1) + EACH] : 0;                      \
                barrier(CLK_LOCAL_MEM_FENCE);                                                                          \
                mine[EACH] += other;                                                                                   \
            }                                                                                                          \
            /* end of idea */                                                                                          \
            barrier(CLK_LOCAL_MEM_FENCE);                                                                              \
            for (int j = me; j < size * EACH && tile + j < end; j += size) {                                           \
                const int owner = j / EACH, before = owner ? kept[owner * (EACH + 1) - 1] : 0;                         \
                const long i = tile + j, through = start + before + kept[j + owner];                                   \
                if (x[i] > (type)0.5)                                                                                  \
                    out[through - 1] = x[i];                                                                           \
                else                                                                                                   \
                    out[n - 1 - (i - through)] = 0;                                                                    \
            }                                                                                                          \
            start += kept[size * (EACH + 1) - 1];                                                                      \
        }                                                                                                              \
        if (me == 0 && group == get_num_groups(0) - 1)                                                                 \
            *count = start;                                                                                            \
    }

DEFINE_COMPACT(float, float32)

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
DEFINE_COMPACT(double, float64)
#endif
