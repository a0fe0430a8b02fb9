"""CUB's single-pass scan through cuda.compute.make_inclusive_scan."""

import cupy as cp
from cuda.compute import OpKind, make_inclusive_scan

ALGORITHM = "scan"


def prepare(case):
    one, how = cp.empty(1, case.dtype), {"op": OpKind.PLUS, "init_value": None}
    scan = make_inclusive_scan(d_in=one, d_out=one, **how)
    how |= {"num_items": case.size, "stream": case.stream}
    scratch = cp.empty(scan(temp_storage=None, d_in=one, d_out=one, **how), "uint8")

    def run(x, out):
        scan(temp_storage=scratch, d_in=x, d_out=out, **how)

    return run
