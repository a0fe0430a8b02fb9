/* Compute the acceleration of n bodies. One work-item per body reads all other bodies from global memory. */

#define DEFINE_NBODY(real, dtype)                                                                           \
    kernel void nbody_##dtype(long n, global const real *position, global const real *mass, real softening, \
                              global real *acceleration)                                                    \
    {                                                                                                       \
        const long i = get_global_id(0);                                                                    \
        if (i >= n)                                                                                         \
            return;                                                                                         \
        global const real *const x = position, *const y = x + n, *const z = y + n;                          \
        const real x_i = x[i], y_i = y[i], z_i = z[i];                                                      \
        real ax = 0, ay = 0, az = 0;                                                                        \
        for (long j = 0; j < n; j++) {                                                                      \
            const real dx = x[j] - x_i, dy = y[j] - y_i, dz = z[j] - z_i;                                   \
            const real inverse = rsqrt(dx * dx + dy * dy + dz * dz + softening);                            \
            const real weight = mass[j] * inverse * inverse * inverse;                                      \
            ax += weight * dx;                                                                              \
            ay += weight * dy;                                                                              \
            az += weight * dz;                                                                              \
        }                                                                                                   \
        acceleration[i] = ax;                                                                               \
        acceleration[n + i] = ay;                                                                           \
        acceleration[2 * n + i] = az;                                                                       \
    }

DEFINE_NBODY(float, float32)

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
DEFINE_NBODY(double, float64)
#endif
