"""x * y with PyTorch, which makes a new tensor in every call."""

PARAMETERS = ("threads",)


def run(x, y, out):
    return x * y
