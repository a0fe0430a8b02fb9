"""C with OpenMP threads and SIMD lanes, gather: each output adds up its inputs; called through CFFI's API mode."""

SOURCES = ("convolution.c",)
FLAGS = ("-fopenmp",)


def prepare(case):
    extension, array = case.artifact("convolution.c"), f"{case.ctype}[]"
    convolve, buffer = getattr(extension.lib, f"convolution_{case.dtype}"), extension.ffi.from_buffer

    def run(x, weights, out):
        convolve(buffer(array, x), buffer(array, weights), buffer(array, out), out.size, weights.size)

    return run
