void vector_multiply_streaming_float64(const double *x, const double *y, double *out, int64_t n);
void vector_multiply_streaming_float32(const float *x, const float *y, float *out, int64_t n);
