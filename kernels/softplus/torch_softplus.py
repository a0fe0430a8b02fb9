"""The activation function of that name, a new tensor each time: x itself where exp(-x) is negligible beside it."""

from torch.nn.functional import softplus

PARAMETERS = ("threads",)


def run(x, out):
    return softplus(x, threshold=40)
