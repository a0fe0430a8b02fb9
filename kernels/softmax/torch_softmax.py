"""torch.softmax, PyTorch's own loop or kernel over rows, into a preallocated tensor."""

import torch

PARAMETERS = ("threads",)


def run(x, out):
    torch.softmax(x, dim=1, out=out)
