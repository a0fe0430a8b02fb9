void convolution_float64(const double *x, const double *weights, double *out, int64_t n, int64_t taps);
void convolution_float32(const float *x, const float *weights, float *out, int64_t n, int64_t taps);
void convolution_scatter_float64(const double *x, const double *weights, double *out, int64_t n, int64_t taps);
void convolution_scatter_float32(const float *x, const float *weights, float *out, int64_t n, int64_t taps);
