"""Loops over Python floats, in double precision always."""


def convert(position, mass, softening):
    return list(zip(*position.tolist(), mass.tolist(), strict=True)), mass.tolist(), float(softening)


def acceleration_at(x, y, z, bodies, softening):
    ax = ay = az = 0.0
    for xj, yj, zj, m in bodies:
        dx, dy, dz = xj - x, yj - y, zj - z
        square = dx * dx + dy * dy + dz * dz + softening
        weight = m / (square * square**0.5)
        ax += weight * dx
        ay += weight * dy
        az += weight * dz
    return ax, ay, az


def run(position, mass, softening, acceleration):
    for i, (x, y, z, _) in enumerate(position):
        acceleration[:, i] = acceleration_at(x, y, z, position, softening)
