"""torch.compile: one pass over memory, into a tensor that is there already."""

import torch

PARAMETERS = ("threads",)


@torch.compile(fullgraph=True)
def run(x, out):
    out.copy_(torch.relu(x) + torch.log1p(torch.exp(-torch.abs(x))))
