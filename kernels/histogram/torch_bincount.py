"""torch.bincount of a tensor of bins; this function computes the largest bin and waits for it."""

import torch

PARAMETERS = ("threads",)


def run(x, counts):
    counts.copy_(torch.bincount((x * len(counts)).int(), minlength=len(counts)))
