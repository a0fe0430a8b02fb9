"""torch.compile of a sum over windows: one loop, or one kernel, that reads the signal where it lies."""

import torch

PARAMETERS = ("threads",)


@torch.compile(fullgraph=True)
def convolve(x, weights, out):
    out.copy_(torch.sum(x.unfold(0, len(weights), 1) * weights.flip(0), dim=1))


def run(x, weights, out):
    if len(out):  # no window fits otherwise
        convolve(x, weights, out)
