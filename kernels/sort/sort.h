void sort_float64(const double *x, double *out, double *scratch, int64_t n);
void sort_float32(const float *x, float *out, float *scratch, int64_t n);
