"""PyTorch expression a * x + y; each call creates two new tensors."""

PARAMETERS = ("threads",)


def run(a, x, y, out):
    return a * x + y
