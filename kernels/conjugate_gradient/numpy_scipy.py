"""scipy.sparse.linalg.cg, a solver written in Python, applied to a CSR matrix."""

from scipy.sparse import csr_array
from scipy.sparse.linalg import cg


def convert(data, indices, indptr, b, relative_residual, most_steps):
    return csr_array((data, indices, indptr), shape=(b.size, b.size)), b, relative_residual, most_steps


def run(matrix, b, relative_residual, most_steps, x):
    steps = 0

    def count(solution):
        nonlocal steps
        steps += 1

    if b.size:  # SciPy refuses empty matrices
        x[:], _ = cg(matrix, b, rtol=relative_residual, maxiter=int(most_steps), callback=count)
    return steps
