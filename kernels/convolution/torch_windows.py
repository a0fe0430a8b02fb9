"""Windows of the signal, a matrix whose rows overlap in memory, times the weights."""

import torch

PARAMETERS = ("threads",)


def run(x, weights, out):
    if len(out):  # no window fits otherwise
        torch.mv(x.unfold(0, len(weights), 1), weights.flip(0), out=out)
