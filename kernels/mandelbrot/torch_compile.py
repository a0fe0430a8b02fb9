"""torch.compile: each pass computes ten steps for all points, also for those that left the circle long before."""

import torch

ALGORITHM = "all steps"
PARAMETERS = ("threads",)
STEPS = 10


@torch.compile(fullgraph=True)
def follow(re, im, counts, x, y, limit):
    for _ in range(STEPS):
        inside = (re * re + im * im <= 4) & (counts < limit)
        following = torch.where(inside, re * re - im * im + x, re)
        im = torch.where(inside, 2 * re * im + y[:, None], im)
        re, counts = following, counts + inside
    return re, im, counts


def run(x, y, limit, counts):
    re, im = torch.zeros((2, *counts.shape), dtype=x.dtype, device=x.device)
    steps = torch.zeros_like(counts)
    for _ in range(0, limit, STEPS):
        re, im, steps = follow(re, im, steps, x, y, limit)
    return steps
