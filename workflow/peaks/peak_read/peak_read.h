double peak_read_float64(const double *x, int64_t n);
float peak_read_float32(const float *x, int64_t n);
