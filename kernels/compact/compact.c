/* Compaction without branches, since a processor would mispredict half of them. Every element is stored at the next
   free place, but only a selected element advances that place. */
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
    }

DEFINE_COMPACT(double, float64)
DEFINE_COMPACT(float, float32)
