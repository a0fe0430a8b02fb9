"""cupyx.scipy.sparse.linalg.cg, a solver written in Python, applied to a CSR matrix."""

from cupyx.scipy.sparse import csr_matrix
from cupyx.scipy.sparse.linalg import cg


def run(data, indices, indptr, b, relative_residual, most_steps, x):
    steps = 0

    def count(solution):
        nonlocal steps
        steps += 1

    if b.size:  # cupyx.scipy.sparse does not support empty matrices
        matrix = csr_matrix((data, indices, indptr), shape=(b.size, b.size))
        x[:], _ = cg(matrix, b, rtol=float(relative_residual), maxiter=int(most_steps), callback=count)
    return steps
