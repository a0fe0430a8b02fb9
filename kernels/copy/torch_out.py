"""Tensor.copy_ into a tensor that is there already."""

PARAMETERS = ("threads",)


def run(x, out):
    out.copy_(x)
