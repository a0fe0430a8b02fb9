/* The acceleration of each of n bodies by all, a work-item a body. A work-group brings as many bodies as it has
   work-items into local memory at a time, x, y, z and mass together, and all take them from there. Beyond the last
   body the tile has bodies without mass. */

#define DEFINE_NBODY(real, dtype)                                                                                 \
    kernel void nbody_tiled_##dtype(long n, global const real *position, global const real *mass, real softening, \
                                    global real *acceleration, local real##4 *tile)                               \
    {                                                                                                             \
        const long i = get_global_id(0);                                                                          \
        const int me = get_local_id(0), group = get_local_size(0);                                                \
        global const real *const x = position, *const y = x + n, *const z = y + n;                                \
        const real x_i = i < n ? x[i] : 0, y_i = i < n ? y[i] : 0, z_i = i < n ? z[i] : 0;                        \
        real ax = 0, ay = 0, az = 0;                                                                              \
        /* idea: a tile of bodies in local memory, read by all work-items of the group */                         \
        for (long start = 0; start < n; start += group) {                                                         \
            const long mine = start + me;                                                                         \
            tile[me] = mine < n ? (real##4)(x[mine], y[mine], z[mine], mass[mine]) : (real##4)(0);                \
            barrier(CLK_LOCAL_MEM_FENCE);                                                                         \
            for (int k = 0; k < group; k++) {                                                                     \
                const real##4 body = tile[k];                                                                     \
                const real dx = body.x - x_i, dy = body.y - y_i, dz = body.z - z_i;                               \
                const real inverse = rsqrt(dx * dx + dy * dy + dz * dz + softening);                              \
                const real weight = body.w * inverse * inverse * inverse;                                         \
                ax += weight * dx;                                                                                \
                ay += weight * dy;                                                                                \
                az += weight * dz;                                                                                \
            }                                                                                                     \
            barrier(CLK_LOCAL_MEM_FENCE);                                                                         \
        }                                                                                                         \
        /* end of idea */                                                                                         \
        if (i < n) {                                                                                              \
            acceleration[i] = ax;                                                                                 \
            acceleration[n + i] = ay;                                                                             \
            acceleration[2 * n + i] = az;                                                                         \
        }                                                                                                         \
    }

DEFINE_NBODY(float, float32)

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
DEFINE_NBODY(double, float64)
#endif
