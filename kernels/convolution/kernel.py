"""Convolution of a signal with `taps` weights, at the places where all weights overlap the signal.

    out[i] = weights[0] x[i + taps - 1] + weights[1] x[i + taps - 2] + ... + weights[taps - 1] x[i],   0 <= i < size

numpy.convolve calls this mode "valid": x has size + taps - 1 elements, so no rule for the edges is needed. Each output
takes about 2 `taps` operations, so caches, registers and SIMD lanes are the limit, not memory bandwidth.

There are two ways to compute the sums. Gather: each output adds up its inputs, so that outputs are independent.
Scatter: each input is added to the outputs that depend on it. In parallel code, several threads may add to the same
output, so scatter needs atomic additions. All outputs use the same weights; GPUs have constant memory for such data.
With Fourier transforms, the time hardly depends on the number of taps.

The lecture esrf names the pattern: "Scatter / Gather: like convolutions"; icsc23 lists constant memory in its table of
memories.
"""

import numpy as np

from accelbench.kernel import Kernel, Output

KERNEL = Kernel(
    title="Convolution with a few weights",
    size="number of outputs",
    sizes={
        "smoke": (1_000, 100_000),
        "default": (1_000, 100_000, 1_000_000),
        "lecture": tuple(10**k for k in range(2, 8)),
    },
    dtypes=("float64", "float32"),
    baseline="numpy_toeplitz",
    baselines=("numpy_convolve", "numpy_fft", "numpy_taps", "numpy_windows"),
    lectures=("esrf", "icsc23"),
    options={"taps": 31},
    check_sizes=(8193, 100_003),
    algorithms={
        "gather": "each output adds up its inputs",
        "scatter": "each input, or each weight, is added to all outputs that need it",
        "matrix product": "pieces of the signal times a matrix of the weights",
        "Fourier transform": "product of the transforms of signal and weights",
    },
)


def inputs(size, dtype, rng, taps):
    """Return x (`size` + `taps` - 1 numbers) and weights (`taps` numbers), all independent and uniform in [-1, 1)."""
    if taps != int(taps) or taps < 1:
        raise ValueError(f"a convolution with taps={taps}: give a whole number >= 1")
    lengths = {"x": size + int(taps) - 1, "weights": int(taps)}
    return {name: 2 * rng.random(length, dtype=dtype) - 1 for name, length in lengths.items()}


def outputs(size, dtype):
    return (Output("out", (size,), dtype),)


def reference(x, weights, size):
    """Return the sums of products in float64, shape (size,), added up tap by tap, without a Fourier transform."""
    out = np.zeros(size)
    for tap, weight in enumerate(weights[::-1]):
        out += np.multiply(x[tap : tap + size], np.float64(weight), dtype=np.float64)
    return out


def tolerance(weights, dtype, taps):
    """Return taps * u * sum|weights|, where u = eps / 2, plus the same bound with float64's u for the reference.

    The bound holds for every order of summation. Each product is rounded once and takes part in at most taps - 1
    additions, so its relative error is at most taps * u (Higham, Accuracy and Stability of Numerical Algorithms,
    section 3.1). As |x| <= 1, the absolute values of the products add up to at most sum|weights|. For comparison, a
    lost product causes an error of about 0.25. With Fourier transforms of length n, the error is about u log2(n)
    |weights| |x| / sqrt(n), where |...| is the Euclidean length (section 24.1): a tenth of the tolerance for 31 taps.
    """
    unit = float(np.finfo(dtype).eps + np.finfo(np.float64).eps) / 2
    return taps * unit * float(np.abs(weights).sum(dtype=np.float64))


def bytes_moved(size, itemsize, taps):
    return (size + 2 * taps - 1) * itemsize, size * itemsize


def flops(size, taps):
    return size * (2 * taps - 1)
