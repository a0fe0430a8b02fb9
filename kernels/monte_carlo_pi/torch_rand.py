"""PyTorch tensors from PyTorch's generator, piece by piece. Each operation passes over memory."""

import torch

ALGORITHM = "library"
PARAMETERS = ("threads",)
PIECES = {"cpu": 16_384, "cuda": 1 << 24}  # points per piece, to fit a CPU's cache or occupy a GPU


def prepare(case):
    device, dtype = "cuda" if case.stream else "cpu", getattr(torch, case.dtype)
    piece = PIECES[device]

    def run(n, seed):
        generator = torch.Generator(device).manual_seed(seed)
        hits = torch.zeros((), dtype=torch.int64, device=device)
        for start in range(0, n, piece):
            x, y = torch.rand((2, min(n - start, piece)), dtype=dtype, device=device, generator=generator)
            hits += torch.count_nonzero(x * x + y * y < 1)
        return hits.double() * (4 / max(n, 1))

    return run
