"""torch.compile of torch.sum."""

import torch

PARAMETERS = ("threads",)


@torch.compile(fullgraph=True)
def run(x):
    return torch.sum(x)
