/* The lecture's loop around the C library's rand(), whose state is behind a lock, with 31 bits per number in glibc. In
   contrast to the lecture, srand() seeds it with 32 bits, and hits are integers: a float stops growing at 2**24. */

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
