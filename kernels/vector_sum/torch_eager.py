"""torch.sum."""

import torch

PARAMETERS = ("threads",)


def run(x):
    return torch.sum(x)
