"""C with OpenMP threads and non-temporal stores."""

SOURCES = ("limit_write.c",)
FLAGS = ("-fopenmp", "-march=native")


def prepare(case):
    extension = case.artifact("limit_write.c")
    from_buffer = extension.ffi.from_buffer
    limit_write = getattr(extension.lib, f"limit_write_{case.dtype}")
    array = {"float64": "double[]", "float32": "float[]"}[case.dtype]

    def run(a, out):
        limit_write(a, from_buffer(array, out), out.size)

    return run
