"""Rust loop, called through ctypes."""

from ctypes import CDLL, c_size_t, c_void_p

PARAMETERS = ("threads",)
SOURCES = ("vector_multiply.rs",)
TOOLCHAIN = "rust"


def prepare(case):
    multiply = getattr(CDLL(case.artifact("vector_multiply.rs")), f"vector_multiply_{case.dtype}")
    multiply.argtypes, multiply.restype = (c_void_p, c_void_p, c_void_p, c_size_t, c_size_t), None
    threads = case.threads
    return lambda x, y, out: multiply(x.ctypes.data, y.ctypes.data, out.ctypes.data, x.size, threads)
