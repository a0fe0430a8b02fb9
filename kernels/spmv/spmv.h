void spmv_float64(int64_t rows, const double *data, const int32_t *indices, const int32_t *indptr, const double *x,
                  double *y);
void spmv_float32(int64_t rows, const float *data, const int32_t *indices, const int32_t *indptr, const float *x,
                  float *y);
