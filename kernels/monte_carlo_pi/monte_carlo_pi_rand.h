double monte_carlo_pi_rand_float64(int64_t n, uint64_t seed);
double monte_carlo_pi_rand_float32(int64_t n, uint64_t seed);
