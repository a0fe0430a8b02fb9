"""scipy.sparse in another format: a matrix of few diagonals is stored along them, and needs no indices."""

from scipy.sparse import csr_array


def convert(data, indices, indptr, x):
    return csr_array((data, indices, indptr), shape=(x.size, x.size)).todia(), x


def run(matrix, x, y):
    return matrix @ x
