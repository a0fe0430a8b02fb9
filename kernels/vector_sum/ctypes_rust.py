"""Rust loop in SIMD lanes, a partial sum in each, called through ctypes."""

import ctypes

PARAMETERS = ("threads",)
SOURCES = ("vector_sum.rs",)
TOOLCHAIN = "rust"


def prepare(case):
    vector_sum, threads = getattr(ctypes.CDLL(case.artifact("vector_sum.rs")), f"vector_sum_{case.dtype}"), case.threads
    vector_sum.argtypes = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t
    vector_sum.restype = getattr(ctypes, f"c_{case.ctype}")
    return lambda x: vector_sum(x.ctypes.data, x.size, threads)
