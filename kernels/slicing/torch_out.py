"""Tensor.copy_ of the slice, a view, into a tensor that is there already."""

PARAMETERS = ("threads",)


def run(x, out):
    out.copy_(x[::3])
