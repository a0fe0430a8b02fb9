"""PyTorch, pass by pass, into a preallocated tensor; only max(x, 0) is a new tensor."""

import torch

PARAMETERS = ("threads",)


def run(x, out):
    torch.abs(x, out=out)
    out.neg_().exp_().log1p_()
    out.add_(torch.relu(x))
