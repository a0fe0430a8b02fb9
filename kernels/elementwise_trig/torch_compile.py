"""torch.compile fuses all operations into one pass, which writes into a preallocated tensor."""

import torch

PARAMETERS = ("threads",)


@torch.compile(fullgraph=True)
def run(x, out):
    out.copy_(torch.sin(x) ** 2 + torch.cos(x) ** 2)
