"""torch.bincount of the bins, which asks for the largest of them, and waits for it."""

import torch

PARAMETERS = ("threads",)


def run(x, counts):
    counts.copy_(torch.bincount((x * len(counts)).int(), minlength=len(counts)))
