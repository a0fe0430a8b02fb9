"""C, each input scattered to its outputs, called through CFFI's out-of-line API mode."""

SOURCES = ("convolution.c",)
VARIANTS = {"native": ("-march=native",)}


def prepare(case):
    extension = case.artifact("convolution.c")
    from_buffer = extension.ffi.from_buffer
    convolution = getattr(extension.lib, f"convolution_scatter_{case.dtype}")
    array = {"float64": "double[]", "float32": "float[]"}[case.dtype]

    def run(x, weights, out):
        signal, factors, results = (from_buffer(array, a) for a in (x, weights, out))
        convolution(signal, factors, results, out.size, weights.size)

    return run
