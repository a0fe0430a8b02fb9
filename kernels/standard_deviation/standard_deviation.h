double standard_deviation_float64(const double *x, int64_t n);
float standard_deviation_float32(const float *x, int64_t n);
