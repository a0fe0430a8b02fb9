"""torch.compile unrolls a Python loop over the edges and compiles the comparisons with all pixels to one pass."""

import torch

ALGORITHM = "edge by edge"
PARAMETERS = ("threads",)


@torch.compile(fullgraph=True)
def run(polygon, mask):
    height, width = mask.shape
    x = torch.arange(width, dtype=polygon.dtype, device=polygon.device)
    y = torch.arange(height, dtype=polygon.dtype, device=polygon.device)[:, None]
    inside = corner = torch.zeros((), dtype=torch.bool, device=polygon.device)
    for (xa, ya), (xb, yb) in zip(polygon.roll(1, 0), polygon, strict=True):
        across, along = (x - xa) * (yb - ya), (y - ya) * (xb - xa)
        inside = inside ^ (((ya < y) != (yb < y)) & torch.where(ya < yb, across <= along, across >= along))
        corner = corner | ((x == xb) & (y == yb))
    mask.copy_(inside | corner)
