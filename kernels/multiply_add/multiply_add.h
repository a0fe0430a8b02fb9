void multiply_add_float64(const double *x1, const double *x2, double b, double *out, int64_t n);
void multiply_add_float32(const float *x1, const float *x2, float b, float *out, int64_t n);
