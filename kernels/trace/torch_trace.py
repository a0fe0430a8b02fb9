"""torch.trace."""

import torch


def run(a):
    return torch.trace(a)
