"""torch.compile: one pass over memory, into a tensor that is there already."""

import torch

PARAMETERS = ("threads",)


@torch.compile(fullgraph=True)
def run(x1, x2, b, out):
    out.copy_(x1 * x2 + b)
