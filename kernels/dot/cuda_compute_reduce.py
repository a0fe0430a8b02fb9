"""CUB's reduction of products computed on the fly, through cuda.compute's TransformIterator."""

import cupy as cp
import numpy as np
from cuda.compute import OpKind, TransformIterator, ZipIterator, make_reduce_into


def prepare(case):
    real, result = np.dtype(case.dtype).type, cp.empty(1, case.dtype)

    def product(pair) -> real:
        return pair[0] * pair[1]

    how = {"d_out": result, "op": OpKind.PLUS, "h_init": np.zeros(1, case.dtype)}
    products = TransformIterator(ZipIterator(result, result), product)
    reduce = make_reduce_into(d_in=products, **how)
    how |= {"num_items": case.size, "stream": case.stream}
    scratch = cp.empty(reduce(temp_storage=None, d_in=products, **how), "uint8")

    def run(x, y):
        reduce(temp_storage=scratch, d_in=TransformIterator(ZipIterator(x, y), product), **how)
        return result

    return run
