"""torch.compile: one pass over memory, into a tensor that is there already."""

import torch

PARAMETERS = ("threads",)


@torch.compile(fullgraph=True)
def run(factor, x, y):
    y.copy_(factor * x)
