"""CUB's selection through cuda.compute.make_select, into an array of zeros, whose rest it leaves as it is."""

import cupy as cp
from cuda.compute import make_select


def is_kept(x):
    return x > 0.5


def prepare(case):
    one, counts = cp.empty(1, case.dtype), cp.empty(2, "uint64")
    how = {"d_num_selected_out": counts, "cond": is_kept}
    select = make_select(d_in=one, d_out=one, **how)
    how |= {"num_items": case.size, "stream": case.stream}
    scratch = cp.empty(select(temp_storage=None, d_in=one, d_out=one, **how), "uint8")
    count = counts.view("int64")[:1]

    def run(x, out):
        out.fill(0)
        select(temp_storage=scratch, d_in=x, d_out=out, **how)
        return count

    return run
