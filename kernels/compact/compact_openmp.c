/* Compaction by threads. Each thread counts the selected elements of its part. The counts of the threads before it give
   the place of its first element. The thread stops after its last selected element, since the next place is another
   thread's. */
#include <omp.h>
#include <stdint.h>
#include <string.h>

#include "compact_openmp.h"

#define DEFINE_COMPACT(type, dtype)                                                               \
    int64_t compact_openmp_##dtype(const type *restrict x, type *restrict out, int64_t n)         \
    {                                                                                             \
        int64_t counts[omp_get_max_threads()], total = 0;                                         \
        _Pragma("omp parallel")                                                                   \
        {                                                                                         \
            const int me = omp_get_thread_num(), threads = omp_get_num_threads();                 \
            const int64_t begin = n * me / threads, end = n * (me + 1) / threads;                 \
            int64_t mine = 0, place = 0, all = 0;                                                 \
            /* idea: the counts of the threads before a thread give its first place */            \
            for (int64_t i = begin; i < end; i++)                                                 \
                mine += x[i] > (type)0.5;                                                         \
            counts[me] = mine;                                                                    \
            _Pragma("omp barrier")                                                                \
            for (int thread = 0; thread < threads; thread++) {                                    \
                place += thread < me ? counts[thread] : 0;                                        \
                all += counts[thread];                                                            \
            }                                                                                     \
            /* end of idea */                                                                     \
            const int64_t stop = place + mine;                                                    \
            for (int64_t i = begin; place < stop; i++) {                                          \
                out[place] = x[i];                                                                \
                place += x[i] > (type)0.5;                                                        \
            }                                                                                     \
            const int64_t zeros = all + (n - all) * me / threads;                                 \
            memset(out + zeros, 0, (all + (n - all) * (me + 1) / threads - zeros) * sizeof(type)); \
            if (me == 0)                                                                          \
                total = all;                                                                      \
        }                                                                                         \
        return total;                                                                             \
    }

DEFINE_COMPACT(double, float64)
DEFINE_COMPACT(float, float32)
