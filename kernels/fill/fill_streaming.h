void fill_streaming_float64(double *out, int64_t n);
void fill_streaming_float32(float *out, int64_t n);
