void softmax_float64(const double *x, double *out, int64_t rows, int64_t columns);
void softmax_float32(const float *x, float *out, int64_t rows, int64_t columns);
