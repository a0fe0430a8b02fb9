"""torch.softmax, one loop or kernel over the rows, into a preallocated tensor."""

import torch

PARAMETERS = ("threads",)


def run(x, out):
    torch.softmax(x, dim=1, out=out)
