"""A kernel in Python: wp.tile_matmul of tiles of 64 x 16 elements, on a GPU by cuBLASDx."""

import math

import warp as wp

SIDE, DEPTH, THREADS = 64, 16, 128


def prepare(case):
    real, tiles = getattr(wp, case.dtype), math.ceil(case.size / SIDE)

    @wp.kernel(module="unique")
    def multiply(a: wp.array2d(dtype=real), b: wp.array2d(dtype=real), out: wp.array2d(dtype=real)):
        i, j = wp.tid()
        total = wp.tile_zeros(shape=(SIDE, SIDE), dtype=real)
        for k in range(0, a.shape[1], DEPTH):
            left = wp.tile_load(a, shape=(SIDE, DEPTH), offset=(i * SIDE, k))  # zeros beyond the edges
            right = wp.tile_load(b, shape=(DEPTH, SIDE), offset=(k, j * SIDE))
            wp.tile_matmul(left, right, total)
        wp.tile_store(out, total, offset=(i * SIDE, j * SIDE))

    return lambda a, b, out: wp.launch_tiled(
        multiply, dim=[tiles, tiles], inputs=[a, b], outputs=[out], block_dim=THREADS
    )
