// Sort a copy by std::sort. With -fopenmp and -D_GLIBCXX_PARALLEL, threads sort parts and merge them.
#include <algorithm>
#include <cstdint>

extern "C" {
void quicksort_float64(const double *x, double *out, int64_t n) { std::sort(out, std::copy(x, x + n, out)); }
void quicksort_float32(const float *x, float *out, int64_t n) { std::sort(out, std::copy(x, x + n, out)); }
}
