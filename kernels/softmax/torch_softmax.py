"""torch.softmax, a loop or kernel of PyTorch's own for rows, into a tensor that is there already."""

import torch

PARAMETERS = ("threads",)


def run(x, out):
    torch.softmax(x, dim=1, out=out)
