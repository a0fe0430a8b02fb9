/* out = (x - y)^2 for each row of x, with the same y, one work-item per 16 bytes of x: where those belong to one row,
   from one place of y, else number by number. x has n = rows * columns elements. Buffers begin at multiples of 16. */

#define DEFINE_SQUARED_DIFFERENCE_BROADCAST(type, dtype, width)                                                  \
    kernel void squared_difference_broadcast_##dtype(long n, long columns, global const type *restrict x,        \
                                                     global const type *restrict y, global type *restrict out)   \
    {                                                                                                            \
        const long vector = get_global_id(0), first = vector * width;                                            \
        if (first + width <= n && columns % width == 0) {                                                        \
            const type##width difference = ((global const type##width *)x)[vector] -                             \
                                           *(global const type##width *)(y + first % columns);                   \
            ((global type##width *)out)[vector] = difference * difference;                                       \
        } else                                                                                                   \
            for (long i = first; i < min(first + width, n); i++)                                                 \
                out[i] = (x[i] - y[i % columns]) * (x[i] - y[i % columns]);                                      \
    }

DEFINE_SQUARED_DIFFERENCE_BROADCAST(float, float32, 4)

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
DEFINE_SQUARED_DIFFERENCE_BROADCAST(double, float64, 2)
#endif
