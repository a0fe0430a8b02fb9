"""C, gather: each output adds up its inputs; called through CFFI's out-of-line API mode."""

SOURCES = ("convolution.c",)
VARIANTS = {"fast": ("-ffast-math",), "simd": ("-fopenmp-simd",)}


def prepare(case):
    extension, array = case.artifact("convolution.c"), f"{case.ctype}[]"
    convolve, buffer = getattr(extension.lib, f"convolution_{case.dtype}"), extension.ffi.from_buffer

    def run(x, weights, out):
        convolve(buffer(array, x), buffer(array, weights), buffer(array, out), out.size, weights.size)

    return run
