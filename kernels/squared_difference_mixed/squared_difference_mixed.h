void squared_difference_mixed_float64(const int16_t *x, const double *y, double *out, int64_t n);
void squared_difference_mixed_float32(const int16_t *x, const float *y, float *out, int64_t n);
