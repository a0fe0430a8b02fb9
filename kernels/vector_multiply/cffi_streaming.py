"""C loop with OpenMP threads and non-temporal stores, called through CFFI's API mode: for vectors beyond the caches."""

SOURCES = ("vector_multiply_streaming.c",)
FLAGS = ("-fopenmp", "-march=native")


def prepare(case):
    extension = case.artifact("vector_multiply_streaming.c")
    from_buffer = extension.ffi.from_buffer
    multiply = getattr(extension.lib, f"vector_multiply_streaming_{case.dtype}")
    array = {"float64": "double[]", "float32": "float[]"}[case.dtype]

    def run(x, y, out):
        multiply(from_buffer(array, x), from_buffer(array, y), from_buffer(array, out), x.size)

    return run
