"""torch.bincount of a tensor of bins; on a GPU, the host waits for the largest bin."""

import torch

PARAMETERS = ("threads",)


def run(x, counts):
    counts.copy_(torch.bincount((x * len(counts)).int(), minlength=len(counts)))
