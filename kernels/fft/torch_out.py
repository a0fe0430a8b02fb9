"""torch.fft.fft into a tensor that is there already: MKL, or cuFFT by a plan that PyTorch keeps."""

import torch

PARAMETERS = ("threads",)


def run(x, out):
    if len(x):  # PyTorch refuses vectors of no elements
        torch.fft.fft(x, out=out)
