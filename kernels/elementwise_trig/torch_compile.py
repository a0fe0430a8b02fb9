"""torch.compile: one pass over memory into a preallocated tensor."""

import torch

PARAMETERS = ("threads",)


@torch.compile(fullgraph=True)
def run(x, out):
    out.copy_(torch.sin(x) ** 2 + torch.cos(x) ** 2)
