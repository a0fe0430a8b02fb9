"""A sparse CSR tensor made of the three tensors, none of them copied; the product is a new tensor."""

import torch

PARAMETERS = ("threads",)


def run(data, indices, indptr, x, y):
    return torch.sparse_csr_tensor(indptr, indices, data, (len(x), len(x))) @ x
