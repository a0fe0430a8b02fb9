"""torch.compile of what an edge does to all pixels: one pass an edge."""

import torch

PARAMETERS = ("threads",)


@torch.compile(dynamic=True, fullgraph=True)
def add_edge(inside, corner, x, y, start, end):
    (xa, ya), (xb, yb) = start, end
    across, along = (x - xa) * (yb - ya), (y - ya) * (xb - xa)
    inside ^= ((ya < y) != (yb < y)) & torch.where(ya < yb, across <= along, across >= along)
    corner |= (x == xb) & (y == yb)


def run(polygon, mask):
    height, width = mask.shape
    x = torch.arange(width, dtype=polygon.dtype, device=polygon.device)
    y = torch.arange(height, dtype=polygon.dtype, device=polygon.device)[:, None]
    inside, corner = torch.zeros((2, height, width), dtype=torch.bool, device=polygon.device)
    for start, end in zip(polygon.roll(1, 0), polygon, strict=True):
        add_edge(inside, corner, x, y, start, end)
    mask.copy_(inside | corner)
