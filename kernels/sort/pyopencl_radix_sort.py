"""PyOpenCL's RadixSort, by two bits at a time: a scan for each, and a new array."""

import numpy as np
from pyopencl.algorithm import RadixSort


def prepare(case):
    if case.size == 0:
        raise NotImplementedError("RadixSort takes no empty array")
    bits, integer, one = {"float32": (32, "int", "1u"), "float64": (64, "long", "1ul")}[case.dtype]
    sort = RadixSort(
        case.queue.context,
        f"__global const {case.ctype} *x",
        # keys in the order of the numbers: all bits of negative ones flipped, the sign bit of all others
        key_expr=f"(as_u{integer}(x[i]) ^ (as_u{integer}(as_{integer}(x[i]) >> {bits - 1}) | {one} << {bits - 1}))",
        sort_arg_names=["x"],
        key_dtype=np.dtype(f"uint{bits}"),
    )

    def run(x, out):
        (ordered,), _ = sort(x, queue=out.queue)
        return ordered

    return run
