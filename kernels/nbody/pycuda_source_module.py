"""CUDA C in a string, compiled at run time by PyCUDA's SourceModule, a thread a body."""

import numpy as np
from pycuda.compiler import SourceModule

PARAMETERS = ("block_size",)

SOURCE = """
__global__ void nbody(long long n, const REAL *position, const REAL *mass, REAL softening, REAL *acceleration)
{
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const REAL *x = position, *y = x + n, *z = y + n;
    REAL ax = 0, ay = 0, az = 0;
    for (long long j = 0; j < n; j++) {
        const REAL dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
        const REAL inverse = rsqrt(dx * dx + dy * dy + dz * dz + softening);
        const REAL weight = mass[j] * inverse * inverse * inverse;
        ax += weight * dx;
        ay += weight * dy;
        az += weight * dz;
    }
    acceleration[i] = ax;
    acceleration[n + i] = ay;
    acceleration[2 * n + i] = az;
}
"""


def prepare(case):
    nbody = SourceModule(SOURCE, options=["-O3", f"-DREAL={case.ctype}"]).get_function("nbody")
    n, launch = np.int64(case.size), {"grid": (case.blocks(), 1), "block": (case.block_size, 1, 1)}

    def run(position, mass, softening, acceleration):
        nbody(n, position, mass, softening, acceleration, **launch, stream=case.stream)

    return run
