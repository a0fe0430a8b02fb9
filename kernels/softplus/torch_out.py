"""PyTorch pass by pass, all but the last one's max(x, 0) into a tensor that is there already."""

import torch

PARAMETERS = ("threads",)


def run(x, out):
    torch.abs(x, out=out)
    out.neg_().exp_().log1p_()
    out.add_(torch.relu(x))
