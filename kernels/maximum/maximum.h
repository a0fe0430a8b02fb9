double maximum_float64(const double *x, int64_t n);
float maximum_float32(const float *x, int64_t n);
