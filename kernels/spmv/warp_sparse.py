"""warp.sparse.bsr_mv, of a CSR matrix that the arrays are put into."""

import warp as wp
from warp.sparse import bsr_mv, bsr_zeros


def prepare(case):
    matrix = bsr_zeros(case.size**2, case.size**2, getattr(wp, case.dtype))

    def run(data, indices, indptr, x, y):
        matrix.values, matrix.columns, matrix.offsets, matrix.nnz = data, indices, indptr, data.size
        bsr_mv(matrix, x, y, alpha=1.0, beta=0.0)

    return run
