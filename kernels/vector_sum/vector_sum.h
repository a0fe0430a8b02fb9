double vector_sum_float64(const double *x, int64_t n);
float vector_sum_float32(const float *x, int64_t n);
