void nbody_float64(const double *position, const double *mass, double softening, double *acceleration, int64_t n);
void nbody_float32(const float *position, const float *mass, float softening, float *acceleration, int64_t n);
