"""Warp kernel, one block per row. The block keeps the row as a tile from the maximum to the quotients."""

import warp as wp

PARAMETERS = {"block_size": (64, 128, 256)}


def prepare(case):
    real, columns = getattr(wp, case.dtype), int(case.options["columns"])

    @wp.func
    def exponential(x: real, top: real):
        return wp.exp(x - top)

    @wp.kernel(module="unique")
    def softmax(x: wp.array2d(dtype=real), out: wp.array2d(dtype=real)):
        i = wp.tid()
        row = wp.tile_load(x[i], shape=columns)
        exponentials = wp.tile_map(exponential, row, wp.tile_extract(wp.tile_max(row), 0))
        total = wp.tile_extract(wp.tile_sum(exponentials), 0)
        wp.tile_store(out[i], wp.tile_map(wp.div, exponentials, total))

    return lambda x, out: wp.launch_tiled(
        softmax, dim=[case.size], inputs=[x], outputs=[out], block_dim=case.block_size
    )
