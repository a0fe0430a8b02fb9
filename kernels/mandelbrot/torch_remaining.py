"""PyTorch: every step computes only the points within the circle. The host waits for the number of these points."""

import torch

PARAMETERS = ("threads",)


def run(x, y, limit, counts):
    c = torch.complex(x.expand(counts.shape), y[:, None].expand(counts.shape)).flatten()
    z, where, steps = torch.zeros_like(c), torch.arange(len(c), device=c.device), counts.view(-1)
    steps.fill_(limit)
    for step in range(1, limit + 1):
        z = z * z + c
        inside = z.real**2 + z.imag**2 <= 4
        steps[where[~inside]] = step
        (remaining,) = inside.nonzero(as_tuple=True)
        z, c, where = z[remaining], c[remaining], where[remaining]
