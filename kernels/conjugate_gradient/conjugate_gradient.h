int64_t conjugate_gradient_float64(int64_t rows, const double *data, const int32_t *indices, const int32_t *indptr,
                                   const double *b, double relative_residual, int64_t most_steps, double *x,
                                   double *scratch);
int64_t conjugate_gradient_float32(int64_t rows, const float *data, const int32_t *indices, const int32_t *indptr,
                                   const float *b, float relative_residual, int64_t most_steps, float *x,
                                   float *scratch);
