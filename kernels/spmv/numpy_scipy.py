"""scipy.sparse's product of x and a CSR matrix that is made in advance; returns a new array."""

from scipy.sparse import csr_array


def convert(data, indices, indptr, x):
    return csr_array((data, indices, indptr), shape=(x.size, x.size)), x


def run(matrix, x, y):
    return matrix @ x
