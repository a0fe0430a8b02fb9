void mandelbrot_lanes_float64(const double *x, const double *y, int32_t limit, int32_t *counts, int64_t n);
void mandelbrot_lanes_float32(const float *x, const float *y, int32_t limit, int32_t *counts, int64_t n);
