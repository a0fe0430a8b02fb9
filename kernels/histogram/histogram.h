void histogram_float64(const double *x, int32_t *counts, int64_t n, int32_t bins);
void histogram_float32(const float *x, int32_t *counts, int64_t n, int32_t bins);
