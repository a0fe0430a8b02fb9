void scale_float64(double factor, const double *x, double *y, int64_t n);
void scale_float32(float factor, const float *x, float *y, int64_t n);
