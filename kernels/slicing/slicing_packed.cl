/* Every third of x's rows, `rows` of them: work-items along a row in the first dimension, rows in the second. An item
   copies 16 bytes where rows begin at multiples of 16 bytes, else as many numbers, a work-group's width apart. */

#define DEFINE_SLICING(type, dtype, width)                                                                       \
    kernel void slicing_##dtype(long rows, long columns, global const type *restrict x,                          \
                                global type *restrict out)                                                       \
    {                                                                                                            \
        const long row = get_global_id(1), item = get_global_id(0), size = get_local_size(0);                    \
        if (row >= rows)                                                                                         \
            return;                                                                                              \
        global const type *from = x + 3 * row * columns;                                                         \
        global type *to = out + row * columns;                                                                   \
        if (columns % width == 0) {                                                                              \
            if (item < columns / width)                                                                          \
                ((global type##width *)to)[item] = ((global const type##width *)from)[item];                     \
        } else                                                                                                   \
            for (int k = 0; k < width; k++) {                                                                    \
                const long j = (get_group_id(0) * width + k) * size + get_local_id(0);                           \
                if (j < columns)                                                                                 \
                    to[j] = from[j];                                                                             \
            }                                                                                                    \
    }

DEFINE_SLICING(float, float32, 4)

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
DEFINE_SLICING(double, float64, 2)
#endif
