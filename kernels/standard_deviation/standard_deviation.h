double standard_deviation_float64(const double *x, int64_t n);
float standard_deviation_float32(const float *x, int64_t n);
double standard_deviation_one_pass_float64(const double *x, int64_t n);
float standard_deviation_one_pass_float32(const float *x, int64_t n);
double standard_deviation_welford_float64(const double *x, int64_t n);
float standard_deviation_welford_float32(const float *x, int64_t n);
