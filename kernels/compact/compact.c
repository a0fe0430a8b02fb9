/* Compaction, in two ways. The branching one decides for every element whether to store it, and the processor
   mispredicts every other time. The other one stores every element at the next free place, and moves on only from those
   it keeps. */
#include <stdint.h>
#include <string.h>

#include "compact.h"

#define DEFINE_COMPACT(type, dtype)                                                   \
    int64_t compact_##dtype(const type *restrict x, type *restrict out, int64_t n)    \
    {                                                                                 \
        int64_t count = 0;                                                            \
        for (int64_t i = 0; i < n; i++) {                                             \
            out[count] = x[i];                                                        \
            count += x[i] > (type)0.5;                                                \
        }                                                                             \
        memset(out + count, 0, (n - count) * sizeof(type));                           \
        return count;                                                                 \
    }                                                                                 \
                                                                                      \
    int64_t compact_branching_##dtype(const type *x, type *out, int64_t n)            \
    {                                                                                 \
        int64_t count = 0;                                                            \
        for (int64_t i = 0; i < n; i++)                                               \
            if (x[i] > (type)0.5)                                                     \
                out[count++] = x[i];                                                  \
        memset(out + count, 0, (n - count) * sizeof(type));                           \
        return count;                                                                 \
    }

DEFINE_COMPACT(double, float64)
DEFINE_COMPACT(float, float32)
