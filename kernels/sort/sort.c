/* Radix sort by digits of 8 bits, the lowest digit first. The vector is divided into parts, one per thread (without
   -fopenmp: one part). Each pass counts the digits of each part. Then each part moves its numbers to the ranges of
   their digits, behind the numbers of the parts before it. The passes move the numbers from x to scratch, to out, to
   scratch, and so on. The number of passes is even, so the last pass writes to out. */
#include <stdint.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#else
#define omp_get_max_threads() 1
#endif

#include "sort.h"

#define DEFINE_SORT(type, dtype, bits)                                                                  \
    /* Return 8 bits of a key, an integer in the order of the numbers: see kernel.py */                 \
    static int digit_##dtype(type number, int shift)                                                    \
    {                                                                                                   \
        uint##bits##_t key, sign = (uint##bits##_t)1 << (bits - 1);                                     \
        memcpy(&key, &number, sizeof key);                                                              \
        key ^= key & sign ? ~(uint##bits##_t)0 : sign;                                                  \
        return key >> shift & 255;                                                                      \
    }                                                                                                   \
                                                                                                        \
    void sort_##dtype(const type *x, type *out, type *scratch, int64_t n)                               \
    {                                                                                                   \
        const int parts = omp_get_max_threads();                                                        \
        int64_t places[parts][256];                                                                     \
        /* idea: count each digit, compute where it begins, move the numbers there */                   \
        for (int shift = 0; shift < bits; shift += 8) {                                                 \
            const type *const from = shift == 0 ? x : shift % 16 ? scratch : out;                       \
            type *const to = shift % 16 ? out : scratch;                                                \
            memset(places, 0, sizeof places);                                                           \
            _Pragma("omp parallel for schedule(static)")                                                \
            for (int part = 0; part < parts; part++)                                                    \
                for (int64_t i = n * part / parts; i < n * (part + 1) / parts; i++)                     \
                    places[part][digit_##dtype(from[i], shift)]++;                                      \
            int64_t place = 0;                                                                          \
            for (int digit = 0; digit < 256; digit++)                                                   \
                for (int part = 0; part < parts; part++) {                                              \
                    const int64_t count = places[part][digit];                                          \
                    places[part][digit] = place;                                                        \
                    place += count;                                                                     \
                }                                                                                       \
            _Pragma("omp parallel for schedule(static)")                                                \
            for (int part = 0; part < parts; part++)                                                    \
                for (int64_t i = n * part / parts; i < n * (part + 1) / parts; i++)                     \
                    to[places[part][digit_##dtype(from[i], shift)]++] = from[i];                        \
        }                                                                                               \
        /* end of idea */                                                                               \
    }

DEFINE_SORT(double, float64, 64)
DEFINE_SORT(float, float32, 32)
