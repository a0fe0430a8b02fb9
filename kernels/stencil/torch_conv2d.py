"""The layer of neural networks, by oneDNN, in float64 by windows that are copied, or cuDNN: a cross of weights."""

import torch
from torch.nn.functional import conv2d

PARAMETERS = ("threads",)


def run(x, out):
    if len(x) > 2:  # no window fits otherwise
        cross = torch.tensor([[0, 1, 0], [1, 1, 1], [0, 1, 0]], dtype=x.dtype, device=x.device) / 5
        out[1:-1, 1:-1] = conv2d(x[None, None], cross[None, None])[0, 0]
    out[:1], out[-1:], out[:, :1], out[:, -1:] = x[:1], x[-1:], x[:, :1], x[:, -1:]
