/* y = A x for a matrix in CSR: row i holds data[k] in column indices[k], indptr[i] <= k < indptr[i + 1].

   scalar: a work-item adds up a row; neighbouring work-items read elements a row's length apart.

   vector: `lanes` work-items, a power of two, add up a row, reading consecutive elements; work-groups are whole
   multiples of them. sums: local memory of a number a work-item.

   stream: a work-group fetches the elements of its rows, one row a work-item, in order of memory, ELEMENTS a
   work-item at a time, and leaves the products in local memory (ELEMENTS numbers a work-item), where each work-item
   adds up its row. Rows may be of any length. */

#define ELEMENTS 5

#define DEFINE_SPMV(type, dtype)                                                                                 \
    kernel void spmv_scalar_##dtype(long rows, global const type *restrict data,                                 \
                                    global const int *restrict indices, global const int *restrict indptr,       \
                                    global const type *restrict x, global type *restrict y)                      \
    {                                                                                                            \
        const long row = get_global_id(0);                                                                       \
        if (row >= rows)                                                                                         \
            return;                                                                                              \
        /* idea: a work-item, a row */                                                                           \
        type sum = 0;                                                                                            \
        for (int k = indptr[row]; k < indptr[row + 1]; k++)                                                      \
            sum += data[k] * x[indices[k]];                                                                      \
        y[row] = sum;                                                                                            \
        /* end of idea */                                                                                        \
    }                                                                                                            \
                                                                                                                 \
    kernel void spmv_vector_##dtype(long rows, global const type *restrict data,                                 \
                                    global const int *restrict indices, global const int *restrict indptr,       \
                                    global const type *restrict x, global type *restrict y, int lanes,           \
                                    local type *sums)                                                            \
    {                                                                                                            \
        const long row = get_global_id(0) / lanes;                                                               \
        const int me = get_local_id(0), lane = me % lanes;                                                       \
        type sum = 0;                                                                                            \
        /* idea: several work-items, a row */                                                                    \
        if (row < rows)                                                                                          \
            for (int k = indptr[row] + lane; k < indptr[row + 1]; k += lanes)                                    \
                sum += data[k] * x[indices[k]];                                                                  \
        sums[me] = sum;                                                                                          \
        for (int half_way = lanes / 2; half_way > 0; half_way /= 2) { /* the upper half onto the lower */        \
            barrier(CLK_LOCAL_MEM_FENCE);                                                                        \
            if (lane < half_way)                                                                                 \
                sums[me] += sums[me + half_way];                                                                 \
        }                                                                                                        \
        /* end of idea */                                                                                        \
        if (row < rows && lane == 0)                                                                             \
            y[row] = sums[me];                                                                                   \
    }                                                                                                            \
                                                                                                                 \
    kernel void spmv_stream_##dtype(long rows, global const type *restrict data,                                 \
                                    global const int *restrict indices, global const int *restrict indptr,       \
                                    global const type *restrict x, global type *restrict y,                      \
                                    local type *products)                                                        \
    {                                                                                                            \
        const long row = get_global_id(0);                                                                       \
        const int me = get_local_id(0), size = get_local_size(0), chunk = ELEMENTS * size;                       \
        const long first = row - me, past = min(first + size, rows);                                             \
        const int begin = row < rows ? indptr[row] : 0, end = row < rows ? indptr[row + 1] : 0;                  \
        const int last = indptr[past];                                                                           \
        type sum = 0;                                                                                            \
        for (int start = indptr[first]; start < last; start += chunk) {                                          \
            type mine[ELEMENTS];                                                                                 \
            /* idea: the group fetches in order of memory, then a work-item, a row */                            \
            for (int j = 0; j < ELEMENTS; j++) { /* all are on their way before the first is stored */           \
                const int k = start + j * size + me;                                                             \
                mine[j] = k < last ? data[k] * x[indices[k]] : 0;                                                \
            }                                                                                                    \
            for (int j = 0; j < ELEMENTS; j++)                                                                   \
                products[j * size + me] = mine[j];                                                               \
            barrier(CLK_LOCAL_MEM_FENCE);                                                                        \
            for (int k = max(begin, start); k < min(end, start + chunk); k++)                                    \
                sum += products[k - start];                                                                      \
            /* end of idea */                                                                                    \
            barrier(CLK_LOCAL_MEM_FENCE);                                                                        \
        }                                                                                                        \
        if (row < rows)                                                                                          \
            y[row] = sum;                                                                                        \
    }

DEFINE_SPMV(float, float32)

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
DEFINE_SPMV(double, float64)
#endif
