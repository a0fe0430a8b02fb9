"""CUB's segmented reduction of products, computed on the fly, through cuda.compute.make_segmented_reduce."""

import cupy as cp
import numpy as np
from cuda.compute import CountingIterator, OpKind, TransformIterator, ZipIterator, make_segmented_reduce


def prepare(case):
    real, one, columns = np.dtype(case.dtype).type, cp.empty(1, case.dtype), np.int64(case.options["columns"])

    def product(pair) -> real:
        return pair[0] * pair[1]

    def first_element(row) -> np.int64:
        return row * columns

    begin, end = (TransformIterator(CountingIterator(np.int64(row)), first_element) for row in (0, 1))
    how = {"start_offsets_in": begin, "end_offsets_in": end, "op": OpKind.PLUS, "h_init": np.zeros(1, case.dtype)}
    given = {"d_in": TransformIterator(ZipIterator(one, one), product), "d_out": one}
    reduce = make_segmented_reduce(**given, **how)
    how |= {"num_segments": case.size, "stream": case.stream}
    scratch = cp.empty(reduce(temp_storage=None, **given, **how), "uint8")

    def run(x, y, out):
        products = TransformIterator(ZipIterator(x.ravel(), y.ravel()), product)
        reduce(temp_storage=scratch, d_in=products, d_out=out, **how)

    return run
