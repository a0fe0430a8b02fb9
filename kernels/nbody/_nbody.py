import numpy as np


def pull(x, y, z, mass, softening, i):
    ax = ay = az = mass.dtype.type(0)
    for j in range(mass.size):
        dx, dy, dz = x[j] - x[i], y[j] - y[i], z[j] - z[i]
        square = dx * dx + dy * dy + dz * dz + softening
        weight = mass[j] / (square * np.sqrt(square))
        ax += weight * dx
        ay += weight * dy
        az += weight * dz
    return ax, ay, az


# pythran export nbody(float64[:, :], float64[], float64, float64[:, :])
# pythran export nbody(float32[:, :], float32[], float32, float32[:, :])
def nbody(position, mass, softening, acceleration):
    x, y, z = position
    # omp parallel for schedule(static)
    for i in range(mass.size):
        acceleration[0, i], acceleration[1, i], acceleration[2, i] = pull(x, y, z, mass, softening, i)
