void dg_derivative_float64(const double *matrices, const double *u, const double *factors, double *out,
                           int64_t elements, int64_t nodes);
void dg_derivative_float32(const float *matrices, const float *u, const float *factors, float *out, int64_t elements,
                           int64_t nodes);
