void linear_combination_float64(double a, const double *x, double b, const double *y, double *z, int64_t n);
void linear_combination_float32(float a, const float *x, float b, const float *y, float *z, int64_t n);
