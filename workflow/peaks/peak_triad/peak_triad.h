void peak_triad_float64(double a, const double *x, const double *y, double *out, int64_t n);
void peak_triad_float32(float a, const float *x, const float *y, float *out, int64_t n);
