void cumsum_float64(const double *x, double *out, int64_t n);
void cumsum_float32(const float *x, float *out, int64_t n);
