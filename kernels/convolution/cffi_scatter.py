"""C, scatter: each input is added to the outputs that depend on it; called through CFFI's out-of-line API mode."""

ALGORITHM = "scatter"
SOURCES = ("convolution.c",)


def prepare(case):
    extension, array = case.artifact("convolution.c"), f"{case.ctype}[]"
    convolve, buffer = getattr(extension.lib, f"convolution_scatter_{case.dtype}"), extension.ffi.from_buffer

    def run(x, weights, out):
        convolve(buffer(array, x), buffer(array, weights), buffer(array, out), out.size, weights.size)

    return run
