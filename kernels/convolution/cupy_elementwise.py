"""CuPy ElementwiseKernel with a loop inside, each output gathering its inputs from raw arguments."""

import cupy as cp

PARAMETERS = ("block_size",)

GATHER = "T sum = 0; for (int k = 0; k < taps; k++) sum += weights[k] * x[i + taps - 1 - k]; out = sum"
convolution = cp.ElementwiseKernel("raw T x, raw T weights, int32 taps", "T out", GATHER, "convolution")


def run(x, weights, out, *, block_size):
    convolution(x, weights, weights.size, out, block_size=block_size)
