double trace_float64(const double *a, int64_t n);
float trace_float32(const float *a, int64_t n);
