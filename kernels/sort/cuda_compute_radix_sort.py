"""CUB's radix sort through cuda.compute.make_radix_sort."""

import cupy as cp
from cuda.compute import SortOrder, make_radix_sort

ALGORITHM = "radix sort"


def prepare(case):
    one, how = cp.empty(1, case.dtype), {"d_in_values": None, "d_out_values": None}
    sort = make_radix_sort(d_in_keys=one, d_out_keys=one, order=SortOrder.ASCENDING, **how)
    how |= {"num_items": case.size, "stream": case.stream}
    scratch = cp.empty(sort(temp_storage=None, d_in_keys=one, d_out_keys=one, **how), "uint8")

    def run(x, out):
        sort(temp_storage=scratch, d_in_keys=x, d_out_keys=out, **how)

    return run
