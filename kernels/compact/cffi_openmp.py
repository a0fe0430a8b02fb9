"""C with OpenMP, called through CFFI's API mode: each thread counts its part, then moves it."""

SOURCES = ("compact_openmp.c",)
FLAGS = ("-fopenmp", "-march=native")


def prepare(case):
    extension = case.artifact("compact_openmp.c")
    from_buffer = extension.ffi.from_buffer
    compact = getattr(extension.lib, f"compact_openmp_{case.dtype}")
    array = {"float64": "double[]", "float32": "float[]"}[case.dtype]

    def run(x, out):
        return compact(from_buffer(array, x), from_buffer(array, out), x.size)

    return run
