void matmul_blocked_float64(int64_t n, const double *a, const double *b, double *out);
void matmul_blocked_float32(int64_t n, const float *a, const float *b, float *out);
