"""Triton kernel, one block of bodies per program. A program reads the other bodies one by one from the cache."""

import triton
import triton.language as tl

PARAMETERS = {"block_size": (64, 128, 256), "num_warps": (2, 4)}


@triton.jit
def nbody(position, mass, softening: tl.float64, acceleration, n, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = i < n
    x, y, z = position, position + n, position + 2 * n
    xi, yi, zi = tl.load(x + i, inside), tl.load(y + i, inside), tl.load(z + i, inside)
    ax, ay, az = tl.zeros_like(xi), tl.zeros_like(xi), tl.zeros_like(xi)
    softening = tl.full((), softening, xi.dtype)
    # idea: one other body at a time acts on a block of bodies
    for j in range(n):
        dx, dy, dz = tl.load(x + j) - xi, tl.load(y + j) - yi, tl.load(z + j) - zi
        inverse = tl.rsqrt(dx * dx + dy * dy + dz * dz + softening)
        weight = tl.load(mass + j) * inverse * inverse * inverse
        ax += weight * dx
        ay += weight * dy
        az += weight * dz
    # end of idea
    tl.store(acceleration + i, ax, inside)
    tl.store(acceleration + n + i, ay, inside)
    tl.store(acceleration + 2 * n + i, az, inside)


def prepare(case):
    grid, how = (case.blocks(),), {"BLOCK": case.block_size, "num_warps": case.num_warps}

    def run(position, mass, softening, acceleration):
        nbody[grid](position, mass, softening, acceleration, case.size, **how)

    return run
