"""torch.nn.functional.softplus, a new tensor each time; it returns x where exp(-x) is negligible."""

from torch.nn.functional import softplus

PARAMETERS = ("threads",)


def run(x, out):
    return softplus(x, threshold=40)
