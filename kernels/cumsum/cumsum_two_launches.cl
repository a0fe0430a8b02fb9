/* Cumulative sum in two launches of the same work-groups, each with a part of `items` elements.

   add_up: each group adds up its part, as a tree in local memory in the end (an element per work-item).

   scan: each group starts from the sum of the groups before it and scans its part, tile after tile. A tile is read in
   order into local memory, EACH elements per work-item and a cell for their sum: each work-item scans its own, the
   group scans the sums by doubling, and the tile is written in order. The odd cell also keeps memory banks from
   clashing. */

#define TREE_SUM(shared, me, size)                                                                                     \
    for (int active = size; active > 1;) { /* the upper half onto the lower; an odd one out waits */                   \
        const int middle = (active + 1) / 2;                                                                           \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                                  \
        if (me < active - middle)                                                                                      \
            shared[me] += shared[me + middle];                                                                         \
        active = middle;                                                                                               \
    }                                                                                                                  \
    barrier(CLK_LOCAL_MEM_FENCE);

#define DEFINE_CUMSUM(type, dtype, EACH)                                                                               \
    kernel void cumsum_add_up_##dtype(long n, long items, global const type *x, global type *sums, local type *shared) \
    {                                                                                                                  \
        const int me = get_local_id(0), size = get_local_size(0);                                                      \
        const long begin = get_group_id(0) * items, end = min(n, begin + items);                                       \
        type total = 0;                                                                                                \
        for (long i = begin + me; i < end; i += size)                                                                  \
            total += x[i];                                                                                             \
        shared[me] = total;                                                                                            \
        TREE_SUM(shared, me, size)                                                                                     \
        if (me == 0)                                                                                                   \
            sums[get_group_id(0)] = shared[0];                                                                         \
    }                                                                                                                  \
                                                                                                                       \
    kernel void cumsum_scan_##dtype(long n, long items, global const type *x, global const type *sums,                 \
                                    global type *out, local type *shared)                                              \
    {                                                                                                                  \
        const int me = get_local_id(0), size = get_local_size(0), group = get_group_id(0);                             \
        const long begin = group * items, end = min(n, begin + items);                                                 \
        type start = 0;                                                                                                \
        for (int before = me; before < group; before += size)                                                          \
            start += sums[before];                                                                                     \
        shared[me] = start;                                                                                            \
        TREE_SUM(shared, me, size)                                                                                     \
        start = shared[0];                                                                                             \
        for (long tile = begin; tile < end; tile += size * EACH) {                                                     \
            barrier(CLK_LOCAL_MEM_FENCE);                                                                              \
            for (int j = me; j < size * EACH; j += size)                                                               \
                shared[j + j / EACH] = tile + j < end ? x[tile + j] : 0;                                               \
            barrier(CLK_LOCAL_MEM_FENCE);                                                                              \
            local type *const mine = shared + me * (EACH + 1);                                                         \
            /* idea: each work-item scans its own, the group the sums, by doubling */                                  \
            type total = 0;                                                                                            \
            for (int k = 0; k < EACH; k++)                                                                             \
                mine[k] = total += mine[k];                                                                            \
            mine[EACH] = total;                                                                                        \
            for (int distance = 1; distance < size; distance *= 2) {                                                   \
                barrier(CLK_LOCAL_MEM_FENCE);                                                                          \
                const type other = me >= distance ? shared[(me - distance) * (EACH + 1) + EACH] : 0;                   \
                barrier(CLK_LOCAL_MEM_FENCE);                                                                          \
                mine[EACH] += other;                                                                                   \
            }                                                                                                          \
            /* end of idea */                                                                                          \
            barrier(CLK_LOCAL_MEM_FENCE);                                                                              \
            for (int j = me; j < size * EACH && tile + j < end; j += size) {                                           \
                const int owner = j / EACH;                                                                            \
                const type before = owner ? shared[owner * (EACH + 1) - 1] : 0;                                        \
                out[tile + j] = start + (before + shared[j + owner]);                                                  \
            }                                                                                                          \
            start += shared[size * (EACH + 1) - 1];                                                                    \
        }                                                                                                              \
    }

DEFINE_CUMSUM(float, float32, 8)

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
DEFINE_CUMSUM(double, float64, 4)
#endif
