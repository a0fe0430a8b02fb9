"""torch.sort; returns two new tensors, one of them for the indices, which torch.sort always computes."""

import torch

ALGORITHM = "radix sort"
PARAMETERS = ("threads",)


def run(x, out):
    return torch.sort(x).values
