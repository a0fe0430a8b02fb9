"""Warp kernel: each block adds up a tile, then adds its sum to the total by an atomic."""

import math

import warp as wp

PARAMETERS = {"block_size": (128, 256, 512)}
TILE = 4096


def prepare(case):
    real = getattr(wp, case.dtype)

    @wp.kernel(module="unique")
    def add_up(x: wp.array(dtype=real), total: wp.array(dtype=real)):
        tile = wp.tile_load(x, shape=TILE, offset=wp.tid() * TILE)  # zero beyond the end
        wp.tile_atomic_add(total, wp.tile_sum(tile), offset=0)

    total, tiles = wp.empty(1, real), math.ceil(case.size / TILE)

    def run(x):
        total.zero_()
        wp.launch_tiled(add_up, dim=[tiles], inputs=[x], outputs=[total], block_dim=case.block_size)
        return total

    return run
