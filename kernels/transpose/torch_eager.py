"""Tensor.contiguous of the transposed view, a new tensor each time: what torch.compile makes of it is no faster."""

PARAMETERS = ("threads",)


def run(x, out):
    return x.T.contiguous()
