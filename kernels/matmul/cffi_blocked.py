"""C blocked for caches and registers, called through CFFI's API mode."""

SOURCES = ("matmul_blocked.c",)
FLAGS = ("-march=native",)
VARIANTS = {"openmp": ("-fopenmp",)}


def prepare(case):
    extension = case.artifact("matmul_blocked.c")
    from_buffer = extension.ffi.from_buffer
    matmul = getattr(extension.lib, f"matmul_blocked_{case.dtype}")
    array = {"float64": "double[]", "float32": "float[]"}[case.dtype]

    def run(a, b, out):
        matmul(len(a), from_buffer(array, a), from_buffer(array, b), from_buffer(array, out))

    return run
