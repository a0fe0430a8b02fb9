"""torch.compile of the formula: one loop, or one kernel, over the rows, into a tensor that is there already."""

import torch

PARAMETERS = ("threads",)


@torch.compile(fullgraph=True)
def run(x, out):
    exponentials = torch.exp(x - torch.amax(x, dim=1, keepdim=True))
    out.copy_(exponentials / torch.sum(exponentials, dim=1, keepdim=True))
