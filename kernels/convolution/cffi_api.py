"""C, each output gathering its inputs, called through CFFI's out-of-line API mode."""

SOURCES = ("convolution.c",)
VARIANTS = {"fast_math": ("-ffast-math",), "simd": ("-fopenmp-simd",), "native": ("-fopenmp-simd", "-march=native")}


def prepare(case):
    extension = case.artifact("convolution.c")
    from_buffer = extension.ffi.from_buffer
    convolution = getattr(extension.lib, f"convolution_{case.dtype}")
    array = {"float64": "double[]", "float32": "float[]"}[case.dtype]

    def run(x, weights, out):
        signal, factors, results = (from_buffer(array, a) for a in (x, weights, out))
        convolution(signal, factors, results, out.size, weights.size)

    return run
