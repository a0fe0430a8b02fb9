"""CuPy ElementwiseKernel over the bodies, one thread each, the others from global memory and its caches."""

import cupy as cp

PARAMETERS = ("block_size",)

nbody = cp.ElementwiseKernel(
    "T x, T y, T z, raw T position, raw T mass, T softening, int64 n",
    "T ax, T ay, T az",
    """
    ax = ay = az = 0;
    for (long long j = 0; j < n; j++) {
        const T dx = position[j] - x, dy = position[n + j] - y, dz = position[2 * n + j] - z;
        const T inverse = rsqrt(dx * dx + dy * dy + dz * dz + softening);
        const T weight = mass[j] * inverse * inverse * inverse;
        ax += weight * dx;
        ay += weight * dy;
        az += weight * dz;
    }
    """,
    "nbody",
)


def run(position, mass, softening, acceleration, *, block_size):
    nbody(*position, position, mass, softening, mass.size, *acceleration, block_size=block_size)
