"""PyTorch pass by pass into a preallocated tensor, except for the last pass's max(x, 0)."""

import torch

PARAMETERS = ("threads",)


def run(x, out):
    torch.abs(x, out=out)
    out.neg_().exp_().log1p_()
    out.add_(torch.relu(x))
