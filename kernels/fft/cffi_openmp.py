"""Stockham's algorithm in C, OpenMP threads sharing each stage, called through CFFI's API mode."""

import numpy as np

ALGORITHM = "Stockham"
SOURCES = ("fft.c",)
FLAGS = ("-fopenmp",)
VARIANTS = {"fast": ("-ffast-math",)}


def prepare(case):
    n = case.size
    if n & (n - 1):
        raise NotImplementedError("only powers of two are supported")
    extension = case.artifact("fft.c")
    buffer = extension.ffi.from_buffer
    fft = getattr(extension.lib, f"fft_{case.dtype}")
    reals = f"{case.ctype}[]"
    roots = np.exp(-2j * np.pi / max(n, 1) * np.arange(n // 2)).astype(case.dtype)
    scratch = np.empty(n, case.dtype)
    return lambda x, out: fft(n, buffer(reals, x), buffer(reals, out), buffer(reals, scratch), buffer(reals, roots))
