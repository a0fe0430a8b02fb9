"""PyTorch in two passes, both into a tensor that is there already."""

import torch

PARAMETERS = ("threads",)


def run(x1, x2, b, out):
    torch.mul(x1, x2, out=out)
    out.add_(b)
