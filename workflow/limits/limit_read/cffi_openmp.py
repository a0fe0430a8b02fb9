"""C with OpenMP threads and SIMD lanes, several accumulators each."""

SOURCES = ("limit_read.c",)
FLAGS = ("-fopenmp", "-ffast-math", "-march=native", "-funroll-loops", "-fvariable-expansion-in-unroller")


def prepare(case):
    extension = case.artifact("limit_read.c")
    from_buffer = extension.ffi.from_buffer
    limit_read = getattr(extension.lib, f"limit_read_{case.dtype}")
    array = {"float64": "double[]", "float32": "float[]"}[case.dtype]

    def run(x):
        return limit_read(from_buffer(array, x), x.size)

    return run
