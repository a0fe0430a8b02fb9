"""Windows of the signal, a matrix of overlapping rows, times the weights; BLAS takes no such rows: torch.mv copies."""

import torch

PARAMETERS = ("threads",)


def run(x, weights, out):
    if len(out):  # no window fits otherwise
        torch.mv(x.unfold(0, len(weights), 1), weights.flip(0), out=out)
