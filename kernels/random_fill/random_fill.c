/* SplitMix64 (Steele, Lea and Flood, Fast Splittable Pseudorandom Number Generators, OOPSLA 2014): the k-th number is a
   hash of k. `drawn` is how many numbers were drawn before. With -fopenmp, threads share the elements. */

#include <stdint.h>
#include <string.h>

#include "random_fill.h"

// idea: the k-th number is a hash of k
static inline uint64_t random_bits(uint64_t k)
{
    uint64_t z = (k + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}
// end of idea

/* Put 52 bits into the fraction of a number in [1, 2) and subtract 1. Unlike a conversion, this always vectorises. */
static inline double unit_float64(uint64_t bits)
{
    double x;
    bits = bits >> 12 | 0x3ff0000000000000u;
    memcpy(&x, &bits, sizeof x);
    return x - 1;
}

static inline float unit_float32(uint64_t bits)
{
    return (int32_t)(bits >> 40) * 0x1p-24f;
}

#define DEFINE_RANDOM_FILL(type, dtype)                                 \
    void random_fill_##dtype(uint64_t drawn, type *out, int64_t n)      \
    {                                                                   \
        _Pragma("omp parallel for schedule(static)")                    \
        for (int64_t i = 0; i < n; i++)                                 \
            out[i] = unit_##dtype(random_bits(drawn + i));              \
    }

DEFINE_RANDOM_FILL(double, float64)
DEFINE_RANDOM_FILL(float, float32)
