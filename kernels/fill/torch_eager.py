"""torch.ones, a new tensor each time."""

import torch

PARAMETERS = ("threads",)


def run(out):
    return torch.ones(out.shape, dtype=out.dtype, device=out.device)
