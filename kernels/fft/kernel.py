"""Discrete Fourier transform of a complex vector: X[k] = x[0] w**0 + x[1] w**k + ... + x[n-1] w**((n-1) k).

Here w = exp(-2 pi i / n): the transform is forward and not scaled. It takes some 5 n log2(n) operations in log2(n)
stages. A library computes several stages in registers and caches between two accesses to memory, so memory bandwidth is
its limit. The textbook's loop passes over the whole vector for each stage. Transforms are fast for lengths with small
prime factors, and several times slower for lengths with a large prime factor.

The hand-written implementations use Stockham's algorithm, which supports powers of two only. Each stage writes into
another array in the order in which the next stage reads, so that no permutation is needed at the end.
"""

import math

import numpy as np

from accelbench.kernel import Kernel, Output

KERNEL = Kernel(
    title="Fourier transform",
    size="number of complex elements",
    sizes={
        "smoke": (1_000, 1_024),
        "default": (1_024, 65_536, 1_000_000),
        "lecture": (2**10, 2**13, 2**16, 2**19, 1_000_000, 2**22),
    },
    sizes_gpu=(2**25,),
    dtypes=("complex128", "complex64"),
    baseline="numpy_four_step",
    baselines=("numpy_fft",),
    lectures=("icsc23",),
    check_sizes=(4, 64, 1_009, 1_024, 65_536, 200_000),
    algorithms={
        "library": "the transform of a library: pocketfft, cuFFT",
        "Stockham": "repeated halving, each stage into another array",
    },
)
REAL = {"complex128": "float64", "complex64": "float32"}


def inputs(size, dtype, rng):
    """Return x: `size` complex numbers, real and imaginary parts independent and uniform in [-1, 1)."""
    x = np.empty(size, dtype)
    for part in (x.real, x.imag):
        part[:] = 2 * rng.random(size, dtype=REAL[dtype]) - 1
    return {"x": x}


def outputs(size, dtype):
    return (Output("out", (size,), dtype),)


def reference(x):
    """Return the transform in complex128, shape (size,)."""
    return np.fft.fft(x.astype(np.complex128)) if x.size else np.empty(0, np.complex128)


def tolerance(x, dtype):
    """Return 8 u (1 + log2(n)) |x| for every element, plus the reference's error.

    Here u = eps / 2, and |x| is the Euclidean length of x. The reference's error has the same bound with float64's u.
    Each of log2(n) stages has a rounding error of a few u, relative to the Euclidean length of its vector (Higham,
    Accuracy and Stability of Numerical Algorithms, theorem 24.2). All stages together multiply the length by sqrt(n).
    So the vector of errors has a length of at most about 5 u log2(n) sqrt(n) |x|. If the error is spread evenly, each
    element has an error of 5 u log2(n) |x|. An even spread is not certain, but errors of different stages behave as
    independent, and add up to sqrt(log2(n)) times one of them. Transforms of prime length take three transforms of
    twice the length; the rest of the tolerance is for them.
    """
    unit = (float(np.finfo(dtype).eps) + float(np.finfo(np.float64).eps)) / 2
    length = math.sqrt(float(np.sum(np.abs(x) ** 2, dtype=np.float64)))
    return 8 * unit * (1 + math.log2(max(x.size, 1))) * length


def bytes_moved(size, itemsize):
    return size * itemsize, size * itemsize


def flops(size):
    """Return 5 n log2(n), the customary count: the operations of the radix-2 algorithm."""
    return 5 * size * math.log2(max(size, 1))
