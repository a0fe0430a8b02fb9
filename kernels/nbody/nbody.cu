/* Compute the acceleration of n bodies. One thread per body reads all other bodies from global memory. */

template <typename Real>
__device__ void nbody(long long n, const Real *__restrict__ position, const Real *__restrict__ mass, Real softening,
                      Real *__restrict__ acceleration)
{
    const long long i = (long long)blockDim.x * blockIdx.x + threadIdx.x;
    if (i >= n)
        return;
    const Real *const x = position, *const y = x + n, *const z = y + n;
    const Real x_i = x[i], y_i = y[i], z_i = z[i];
    Real ax = 0, ay = 0, az = 0;
    for (long long j = 0; j < n; j++) {
        const Real dx = x[j] - x_i, dy = y[j] - y_i, dz = z[j] - z_i;
        const Real inverse = rsqrt(dx * dx + dy * dy + dz * dz + softening);
        const Real weight = mass[j] * inverse * inverse * inverse;
        ax += weight * dx;
        ay += weight * dy;
        az += weight * dz;
    }
    acceleration[i] = ax;
    acceleration[n + i] = ay;
    acceleration[2 * n + i] = az;
}

#define DEFINE_NBODY(Real, dtype)                                                                                 \
    extern "C" __global__ void nbody_##dtype(long long n, const Real *position, const Real *mass, Real softening, \
                                             Real *acceleration)                                                  \
    {                                                                                                             \
        nbody<Real>(n, position, mass, softening, acceleration);                                                  \
    }

DEFINE_NBODY(double, float64)
DEFINE_NBODY(float, float32)
