"""PyTorch's cheapest launch: x times 1, in place."""


def run(x):
    x.mul_(1)
