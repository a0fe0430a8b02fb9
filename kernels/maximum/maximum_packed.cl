/* Largest number of a vector by one work-group per `items` * local size elements: each work-item finds that of its own,
   16 bytes at a time, then the group finds the largest of these as a tree in local memory. A second launch, with one
   group, finds the largest of the groups' maxima. `items` is a multiple of the width wherever there are several
   groups. */

#define DEFINE_MAXIMUM(type, dtype, width, lowest)                                                           \
    kernel void maximum_##dtype(long n, long items, global const type *x, global type *maxima,               \
                                local type *shared)                                                          \
    {                                                                                                        \
        const int me = get_local_id(0), size = get_local_size(0);                                            \
        const long begin = get_group_id(0) * items * size, end = min(n, begin + items * size);               \
        type##width lanes = lowest;                                                                          \
        _Pragma("unroll 4") /* that many vectors on their way at any time */                                 \
        for (long i = begin / width + me; i < end / width; i += size)                                        \
            lanes = max(lanes, ((global const type##width *)x)[i]);                                          \
        type lane[width], largest = lowest;                                                                  \
        vstore##width(lanes, 0, lane);                                                                       \
        for (int k = 0; k < width; k++)                                                                      \
            largest = max(largest, lane[k]);                                                                 \
        for (long i = end - end % width + me; i < end; i += size)                                            \
            largest = max(largest, x[i]);                                                                    \
        shared[me] = largest;                                                                                \
        for (int active = size; active > 1;) { /* the upper half against the lower; an odd one out waits */  \
            const int middle = (active + 1) / 2;                                                             \
            barrier(CLK_LOCAL_MEM_FENCE);                                                                    \
            if (me < active - middle)                                                                        \
                shared[me] = max(shared[me], shared[me + middle]);                                           \
            active = middle;                                                                                 \
        }                                                                                                    \
        if (me == 0)                                                                                         \
            maxima[get_group_id(0)] = shared[0];                                                             \
    }

DEFINE_MAXIMUM(float, float32, 4, -FLT_MAX)

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
DEFINE_MAXIMUM(double, float64, 2, -DBL_MAX)
#endif
