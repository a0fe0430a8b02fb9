"""torch.cumsum into a tensor that is there already."""

import torch

ALGORITHM = "scan"
PARAMETERS = ("threads",)


def run(x, out):
    torch.cumsum(x, 0, out=out)
