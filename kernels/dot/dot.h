double dot_float64(const double *x, const double *y, int64_t n);
float dot_float32(const float *x, const float *y, int64_t n);
