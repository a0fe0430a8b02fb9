"""warp.utils.array_sum (CUB on a GPU)."""

import warp as wp


def prepare(case):
    total = wp.empty(1, getattr(wp, case.dtype))

    def run(x):
        wp.utils.array_sum(x, out=total)
        return total

    return run
