"""The convolution layer of neural networks: by oneDNN, in float64 by copied windows, or by cuDNN; weights reversed."""

from torch.nn.functional import conv1d

PARAMETERS = ("threads",)


def run(x, weights, out):
    if len(out):  # no window fits otherwise
        out.copy_(conv1d(x[None, None], weights.flip(0)[None, None])[0, 0])
