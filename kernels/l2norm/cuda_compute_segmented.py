"""CUB's segmented reduction of squares through cuda.compute; roots are taken as the results are written."""

import math

import cupy as cp
import numpy as np
from cuda.compute import CountingIterator, OpKind, TransformIterator, TransformOutputIterator, make_segmented_reduce


def prepare(case):
    real, one, columns = np.dtype(case.dtype).type, cp.empty(1, case.dtype), np.int64(case.options["columns"])

    def square(x: real) -> real:
        return x * x

    def root(x: real) -> real:
        return math.sqrt(x)

    def first_element(row) -> np.int64:
        return row * columns

    begin, end = (TransformIterator(CountingIterator(np.int64(row)), first_element) for row in (0, 1))
    how = {"start_offsets_in": begin, "end_offsets_in": end, "op": OpKind.PLUS, "h_init": np.zeros(1, case.dtype)}
    given = {"d_in": TransformIterator(one, square), "d_out": TransformOutputIterator(one, root)}
    reduce = make_segmented_reduce(**given, **how)
    how |= {"num_segments": case.size, "stream": case.stream}
    scratch = cp.empty(reduce(temp_storage=None, **given, **how), "uint8")

    def run(x, out):
        given = {"d_in": TransformIterator(x.ravel(), square), "d_out": TransformOutputIterator(out, root)}
        reduce(temp_storage=scratch, **given, **how)

    return run
