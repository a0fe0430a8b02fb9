"""torch.sort: two new tensors each time, one of them for the indices, which it always sorts along."""

import torch

ALGORITHM = "radix sort"
PARAMETERS = ("threads",)


def run(x, out):
    return torch.sort(x).values
