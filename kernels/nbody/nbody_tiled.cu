/* The acceleration of each of n bodies by all, a thread a body. A block brings as many bodies as it has threads into
   shared memory at a time, x, y, z and mass together, and all take them from there, 16 bytes at once. Beyond the last
   body the tile has bodies without mass. */

template <typename Real> struct alignas(16) Body {
    Real x, y, z, mass;
};

template <typename Real>
__device__ void nbody(long long n, const Real *__restrict__ position, const Real *__restrict__ mass, Real softening,
                      Real *__restrict__ acceleration)
{
    extern __shared__ double2 shared_memory[];
    Body<Real> *tile = reinterpret_cast<Body<Real> *>(shared_memory);
    const long long i = (long long)blockDim.x * blockIdx.x + threadIdx.x;
    const Real *const x = position, *const y = x + n, *const z = y + n;
    const Real x_i = i < n ? x[i] : 0, y_i = i < n ? y[i] : 0, z_i = i < n ? z[i] : 0;
    Real ax = 0, ay = 0, az = 0;
    // idea: a tile of bodies in shared memory, read by all threads of the block
    for (long long start = 0; start < n; start += blockDim.x) {
        const long long mine = start + threadIdx.x;
        tile[threadIdx.x] = mine < n ? Body<Real>{x[mine], y[mine], z[mine], mass[mine]} : Body<Real>{};
        __syncthreads();
#pragma unroll 8
        for (int k = 0; k < blockDim.x; k++) {
            const Body<Real> body = tile[k];
            const Real dx = body.x - x_i, dy = body.y - y_i, dz = body.z - z_i;
            const Real inverse = rsqrt(dx * dx + dy * dy + dz * dz + softening);
            const Real weight = body.mass * inverse * inverse * inverse;
            ax += weight * dx;
            ay += weight * dy;
            az += weight * dz;
        }
        __syncthreads();
    }
    // end of idea
    if (i >= n)
        return;
    acceleration[i] = ax;
    acceleration[n + i] = ay;
    acceleration[2 * n + i] = az;
}

#define DEFINE_NBODY(Real, dtype)                                                                       \
    extern "C" __global__ void nbody_tiled_##dtype(long long n, const Real *position, const Real *mass, \
                                                   Real softening, Real *acceleration)                  \
    {                                                                                                   \
        nbody<Real>(n, position, mass, softening, acceleration);                                        \
    }

DEFINE_NBODY(double, float64)
DEFINE_NBODY(float, float32)
