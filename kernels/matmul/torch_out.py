"""torch.matmul into a tensor that is there already: BLAS, or cuBLAS in full precision."""

import torch

PARAMETERS = ("threads",)


def run(a, b, out):
    torch.matmul(a, b, out=out)
