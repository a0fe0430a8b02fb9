"""C loop with OpenMP threads and non-temporal stores, called through CFFI's API mode: for vectors beyond the caches."""

SOURCES = ("copy_streaming.c",)
FLAGS = ("-fopenmp", "-march=native")


def prepare(case):
    extension = case.artifact("copy_streaming.c")
    from_buffer = extension.ffi.from_buffer
    copy = getattr(extension.lib, f"copy_streaming_{case.dtype}")
    array = {"float64": "double[]", "float32": "float[]"}[case.dtype]

    def run(x, out):
        copy(from_buffer(array, x), from_buffer(array, out), x.size)

    return run
