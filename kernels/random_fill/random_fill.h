void random_fill_float64(uint64_t drawn, double *out, int64_t n);
void random_fill_float32(uint64_t drawn, float *out, int64_t n);
