void qsort_float64(const double *x, double *out, int64_t n);
void qsort_float32(const float *x, float *out, int64_t n);
