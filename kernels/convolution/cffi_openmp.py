"""C with OpenMP threads and SIMD lanes, each output gathering its inputs, called through CFFI's API mode."""

SOURCES = ("convolution.c",)
FLAGS = ("-fopenmp", "-march=native")


def prepare(case):
    extension = case.artifact("convolution.c")
    from_buffer = extension.ffi.from_buffer
    convolution = getattr(extension.lib, f"convolution_{case.dtype}")
    array = {"float64": "double[]", "float32": "float[]"}[case.dtype]

    def run(x, weights, out):
        signal, factors, results = (from_buffer(array, a) for a in (x, weights, out))
        convolution(signal, factors, results, out.size, weights.size)

    return run
