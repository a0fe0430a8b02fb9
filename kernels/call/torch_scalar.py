"""PyTorch adds a number to a zero-dimensional tensor; each addition makes a new tensor."""

import torch


def prepare(case):
    size, device = case.size, "cuda" if case.stream else "cpu"

    def run(x):
        x = torch.tensor(x, dtype=torch.float64, device=device)
        for _ in range(size):
            x = x + 1
        return x

    return run
