"""PyTorch in five passes over shifted slices, all into a tensor that is there already."""

import torch

PARAMETERS = ("threads",)


def run(x, out):
    inner = out[1:-1, 1:-1]
    torch.add(x[1:-1, 1:-1], x[:-2, 1:-1], out=inner)
    inner += x[2:, 1:-1]
    inner += x[1:-1, :-2]
    inner += x[1:-1, 2:]
    inner *= 0.2
    out[:1], out[-1:], out[:, :1], out[:, -1:] = x[:1], x[-1:], x[:, :1], x[:, -1:]
