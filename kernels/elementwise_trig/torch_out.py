"""PyTorch pass by pass, all but the cosines into a tensor that is there already."""

import torch

PARAMETERS = ("threads",)


def run(x, out):
    torch.sin(x, out=out)
    out.square_()
    out.add_(torch.cos(x).square_())
