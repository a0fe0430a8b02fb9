void fft_complex128(int64_t n, const double *x, double *out, double *scratch, const double *roots);
void fft_complex64(int64_t n, const float *x, float *out, float *scratch, const float *roots);
