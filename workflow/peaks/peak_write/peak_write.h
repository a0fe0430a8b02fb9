void peak_write_float64(double a, double *out, int64_t n);
void peak_write_float32(float a, float *out, int64_t n);
