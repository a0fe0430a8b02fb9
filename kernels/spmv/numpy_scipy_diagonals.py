"""scipy.sparse's diagonal format, which stores the matrix along its few diagonals, without indices.

The product also multiplies elements of x by the zeros on these diagonals. So if x has a NaN or an infinity at the end
of a grid's row, the result has a NaN at the start of the next row. If x has one at the start of a grid's row, the
result has a NaN at the end of the row before.
"""

from scipy.sparse import csr_array

ALGORITHM = "diagonals"


def convert(data, indices, indptr, x):
    return csr_array((data, indices, indptr), shape=(x.size, x.size)).todia(), x


def run(matrix, x, y):
    return matrix @ x
