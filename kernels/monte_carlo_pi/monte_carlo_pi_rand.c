/* The lecture's loop around the C library's rand(). In glibc, a lock protects the state of rand(), and its numbers have
   31 bits. Unlike the lecture's code, this code calls srand() with 32 bits of the seed. It counts hits in an integer,
   since a float stops growing at 2**24. */

#include <stdint.h>
#include <stdlib.h>
#include "monte_carlo_pi_rand.h"

#define DEFINE(dtype, real)                                                        \
    double monte_carlo_pi_rand_##dtype(int64_t n, uint64_t seed)                   \
    {                                                                              \
        real x, y, radius = RAND_MAX;                                              \
        int64_t hits = 0;                                                          \
        srand((unsigned)(seed ^ seed >> 32));                                      \
        for (int64_t i = 0; i < n; i++) {                                          \
            x = rand();                                                            \
            y = rand();                                                            \
            if (x * x + y * y < radius * radius)                                   \
                hits++;                                                            \
        }                                                                          \
        return n ? 4.0 * hits / n : 0.0;                                           \
    }

DEFINE(float64, double)
DEFINE(float32, float)
