"""The convolution layer of neural networks, a cross of weights: by oneDNN, in float64 by copied windows, or cuDNN."""

import torch
from torch.nn.functional import conv2d

PARAMETERS = ("threads",)


def run(x, out):
    if len(x) > 2:  # no window fits otherwise
        cross = torch.tensor([[0, 1, 0], [1, 1, 1], [0, 1, 0]], dtype=x.dtype, device=x.device) / 5
        out[1:-1, 1:-1] = conv2d(x[None, None], cross[None, None])[0, 0]
    out[:1], out[-1:], out[:, :1], out[:, -1:] = x[:1], x[-1:], x[:, :1], x[:, -1:]
