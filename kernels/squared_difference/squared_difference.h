void squared_difference_float64(const double *x, const double *y, double *out, int64_t n);
void squared_difference_float32(const float *x, const float *y, float *out, int64_t n);
