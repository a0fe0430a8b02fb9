"""C with OpenMP, called through CFFI's API mode: each thread adds up its part, then scans it."""

SOURCES = ("cumsum_openmp.c",)
FLAGS = ("-fopenmp", "-march=native")


def prepare(case):
    extension = case.artifact("cumsum_openmp.c")
    from_buffer = extension.ffi.from_buffer
    cumsum = getattr(extension.lib, f"cumsum_openmp_{case.dtype}")
    array = {"float64": "double[]", "float32": "float[]"}[case.dtype]

    def run(x, out):
        cumsum(from_buffer(array, x), from_buffer(array, out), x.size)

    return run
