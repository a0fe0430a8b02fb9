"""Warp kernel: wp.tile_transpose of tiles of 32 x 32 elements in shared memory."""

import math

import warp as wp

SIDE, THREADS = 32, 128


def prepare(case):
    real, tiles = getattr(wp, case.dtype), math.ceil(case.size / SIDE)

    @wp.kernel(module="unique")
    def transpose(x: wp.array2d(dtype=real), out: wp.array2d(dtype=real)):
        i, j = wp.tid()
        tile = wp.tile_load(x, shape=(SIDE, SIDE), offset=(i * SIDE, j * SIDE), storage="shared")
        wp.tile_store(out, wp.tile_transpose(tile), offset=(j * SIDE, i * SIDE))

    return lambda x, out: wp.launch_tiled(transpose, dim=[tiles, tiles], inputs=[x], outputs=[out], block_dim=THREADS)
