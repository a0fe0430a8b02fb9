void transpose_float64(const double *x, double *out, int64_t n);
void transpose_float32(const float *x, float *out, int64_t n);
void transpose_blocked_float64(const double *x, double *out, int64_t n);
void transpose_blocked_float32(const float *x, float *out, int64_t n);
