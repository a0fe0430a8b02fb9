"""C loops through CFFI's API mode: OpenMP threads share the rows; with fast-math, SIMD lanes share a row's columns."""

SOURCES = ("softmax.c",)
FLAGS = ("-fopenmp",)
VARIANTS = {"fast": ("-ffast-math",)}


def prepare(case):
    extension, array = case.artifact("softmax.c"), f"{case.ctype}[]"
    softmax, from_buffer = getattr(extension.lib, f"softmax_{case.dtype}"), extension.ffi.from_buffer
    return lambda x, out: softmax(from_buffer(array, x), from_buffer(array, out), *x.shape)
