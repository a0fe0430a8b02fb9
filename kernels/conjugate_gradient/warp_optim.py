"""warp.optim.linear.cg, which looks at the residual after every ten steps; on a GPU, these are one graph."""

import warp as wp
from warp.optim.linear import cg
from warp.sparse import bsr_zeros


def prepare(case):
    if case.stream is None:
        raise NotImplementedError("made for GPUs: on a CPU each thread of a block adds up what the whole block has to")
    if case.size == 0:
        return lambda *arrays: 0
    matrix = bsr_zeros(case.size**2, case.size**2, getattr(wp, case.dtype))

    def run(data, indices, indptr, b, relative_residual, most_steps, x):
        matrix.values, matrix.columns, matrix.offsets, matrix.nnz = data, indices, indptr, data.size
        x.zero_()
        steps, _, _ = cg(matrix, b, x, tol=float(relative_residual), atol=0.0, maxiter=int(most_steps))
        return steps

    return run
