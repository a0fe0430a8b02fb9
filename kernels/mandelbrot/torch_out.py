"""PyTorch in place: every step computes all points. Points that left the circle diverge to infinity."""

import torch

ALGORITHM = "all steps"
PARAMETERS = ("threads",)


def run(x, y, limit, counts):
    re, im, re_squared, im_squared = torch.zeros((4, *counts.shape), dtype=x.dtype, device=x.device)
    inside = torch.ones_like(counts, dtype=torch.bool)
    counts.zero_()
    for _ in range(limit):
        counts += inside
        im.mul_(re).mul_(2).add_(y[:, None])
        torch.sub(re_squared, im_squared, out=re).add_(x)
        torch.mul(re, re, out=re_squared)
        torch.mul(im, im, out=im_squared)
        inside &= re_squared + im_squared <= 4
