"""torch.einsum of the whole formula, by two products from left to right, and new tensors for each."""

import torch

PARAMETERS = ("threads",)


def run(matrices, u, factors, out):
    return torch.einsum("eb,bca,eic->eia", u, matrices, factors)
