/* A bitonic network, as in sort.cl, whose steps within a tile, two numbers per work-item, share a launch, in local
   memory. The size of a work-group is a power of two. */

#define DEFINE_ORDER(name, space, real)                                           \
    void name(space real *numbers, long n, long pair, long stride, bool mirrored) \
    {                                                                             \
        const long low = 2 * pair - (pair & (stride - 1));                        \
        const long high = low ^ (mirrored ? 2 * stride - 1 : stride);             \
        if (high < n && numbers[low] > numbers[high]) {                           \
            const real larger = numbers[low];                                     \
            numbers[low] = numbers[high];                                         \
            numbers[high] = larger;                                               \
        }                                                                         \
    }

#define DEFINE_SORT(real, dtype)                                                                                  \
    DEFINE_ORDER(order_##dtype, global, real)                                                                     \
    DEFINE_ORDER(order_local_##dtype, local, real)                                                                \
    kernel void sort_step_##dtype(long n, long stride, int mirrored, global real *numbers)                        \
    {                                                                                                             \
        order_##dtype(numbers, n, get_global_id(0), stride, mirrored);                                            \
    }                                                                                                             \
    kernel void sort_tile_##dtype(long n, int sorted, global const real *from, global real *to, local real *tile) \
    {                                                                                                             \
        const long me = get_local_id(0), size = get_local_size(0), first = 2 * size * get_group_id(0);            \
        const long count = min(n - first, 2 * size);                                                              \
        for (long i = me; i < count; i += size)                                                                   \
            tile[i] = from[first + i];                                                                            \
        /* idea: a tile is sorted, or, within runs that are being merged, merged to the end, in local memory */   \
        for (long run = sorted ? size : 1; run <= size; run *= 2)                                                 \
            for (long stride = run; stride > 0; stride /= 2) {                                                    \
                barrier(CLK_LOCAL_MEM_FENCE);                                                                     \
                order_local_##dtype(tile, count, me, stride, !sorted && stride == run);                           \
            }                                                                                                     \
        /* end of idea */                                                                                         \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                             \
        for (long i = me; i < count; i += size)                                                                   \
            to[first + i] = tile[i];                                                                              \
    }

DEFINE_SORT(float, float32)

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
DEFINE_SORT(double, float64)
#endif
