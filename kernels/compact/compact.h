int64_t compact_float64(const double *x, double *out, int64_t n);
int64_t compact_float32(const float *x, float *out, int64_t n);
