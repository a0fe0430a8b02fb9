/* Random points by SplitMix64 (Steele, Lea and Flood, Fast Splittable Pseudorandom Number Generators, OOPSLA 2014):
   the k-th number is a hash of the counter k. Points share no state, so that any number of vector lanes, threads or
   work-items can compute them in any order, and the estimate stays the same. */

#include <stdint.h>
#include <string.h>
#include "monte_carlo_pi.h"

static inline uint64_t mix(uint64_t z)
{
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* Return the k-th number of the sequence that starts at the hash of the seed. */
static inline uint64_t random_bits(uint64_t start, uint64_t k)
{
    return mix(start + k * 0x9e3779b97f4a7c15u);
}

/* Put 52 bits into the fraction of a number in [1, 2) and subtract 1. Unlike a conversion, this always vectorises. */
static inline double unit_float64(uint64_t bits)
{
    double x;
    bits = bits >> 12 | 0x3ff0000000000000u;
    memcpy(&x, &bits, sizeof x);
    return x - 1;
}

static inline float unit_float32(uint32_t bits)
{
    return (int32_t)(bits >> 8) * 0x1p-24f;
}

// idea: a point is a hash of its index
static inline int inside_float64(uint64_t start, uint64_t i)
{
    double x = unit_float64(random_bits(start, 2 * i)), y = unit_float64(random_bits(start, 2 * i + 1));
    return x * x + y * y < 1;
}
// end of idea

static inline int inside_float32(uint64_t start, uint64_t i)
{
    uint64_t bits = random_bits(start, i);
    float x = unit_float32(bits >> 32), y = unit_float32((uint32_t)bits);
    return x * x + y * y < 1;
}

#define DEFINE(dtype)                                                              \
    double monte_carlo_pi_##dtype(int64_t n, uint64_t seed)                        \
    {                                                                              \
        uint64_t start = mix(seed);                                                \
        int64_t hits = 0;                                                          \
        _Pragma("omp parallel for reduction(+ : hits) schedule(static)")           \
        for (int64_t i = 0; i < n; i++)                                            \
            hits += inside_##dtype(start, i);                                      \
        return n ? 4.0 * hits / n : 0.0;                                           \
    }

DEFINE(float64)
DEFINE(float32)
