"""warp.utils.radix_sort_pairs, on a GPU that of CUB: it sorts in place, and moves values that nobody needs."""

import warp as wp

ALGORITHM = "radix sort"


def prepare(case):
    size = case.size
    keys, values = wp.empty(2 * size, getattr(wp, case.dtype)), wp.zeros(2 * size, int)

    def run(x, out):
        if size:  # a copy of none is one of all
            wp.copy(keys, x, count=size)
            wp.utils.radix_sort_pairs(keys, values, size)
            wp.copy(out, keys, count=size)

    return run
