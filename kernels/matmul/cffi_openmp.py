"""C loops with OpenMP threads sharing the rows, called through CFFI's API mode."""

SOURCES = ("matmul.c",)
FLAGS = ("-fopenmp", "-march=native")


def prepare(case):
    extension = case.artifact("matmul.c")
    from_buffer = extension.ffi.from_buffer
    matmul = getattr(extension.lib, f"matmul_{case.dtype}")
    array = {"float64": "double[]", "float32": "float[]"}[case.dtype]

    def run(a, b, out):
        matmul(len(a), from_buffer(array, a), from_buffer(array, b), from_buffer(array, out))

    return run
