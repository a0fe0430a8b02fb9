"""The loss function of that name without its mean: one pass, a new tensor each time."""

from torch.nn.functional import mse_loss

PARAMETERS = ("threads",)


def run(x, y, out):
    return mse_loss(x, y, reduction="none")
