"""torch.compile: products and their sum in one pass, without a tensor of products."""

import torch

PARAMETERS = ("threads",)


@torch.compile(fullgraph=True)
def run(x, y):
    return torch.sum(x * y)
