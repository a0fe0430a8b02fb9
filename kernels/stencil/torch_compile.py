"""torch.compile of the shifted slices: one pass for the inner points, into a tensor that is there already."""

import torch

PARAMETERS = ("threads",)


@torch.compile(fullgraph=True)
def run(x, out):
    out[:1], out[-1:], out[:, :1], out[:, -1:] = x[:1], x[-1:], x[:, :1], x[:, -1:]
    out[1:-1, 1:-1] = (x[1:-1, 1:-1] + x[:-2, 1:-1] + x[2:, 1:-1] + x[1:-1, :-2] + x[1:-1, 2:]) * 0.2
