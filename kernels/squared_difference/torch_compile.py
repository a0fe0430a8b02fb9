"""torch.compile: one pass over memory, into a tensor that is there already."""

import torch

PARAMETERS = ("threads",)


@torch.compile(fullgraph=True)
def run(x, y, out):
    out.copy_((x - y) ** 2)
