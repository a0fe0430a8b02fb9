void squared_difference_broadcast_float64(const double *x, const double *y, double *out, int64_t rows, int64_t columns);
void squared_difference_broadcast_float32(const float *x, const float *y, float *out, int64_t rows, int64_t columns);
