void black_scholes_float64(const double *price, const double *strike, const double *years, double rate,
                           double volatility, double *call, double *put, int64_t n);
void black_scholes_float32(const float *price, const float *strike, const float *years, float rate, float volatility,
                           float *call, float *put, int64_t n);
