"""The cheapest that PyTorch launches: x times 1, in place."""


def run(x):
    x.mul_(1)
