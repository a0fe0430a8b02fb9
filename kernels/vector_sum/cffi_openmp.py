"""C loop with OpenMP threads and SIMD lanes, several sums in each, called through CFFI's API mode."""

SOURCES = ("vector_sum.c",)
FLAGS = ("-fopenmp", "-ffast-math", "-march=native", "-funroll-loops", "-fvariable-expansion-in-unroller")


def prepare(case):
    extension = case.artifact("vector_sum.c")
    from_buffer = extension.ffi.from_buffer
    vector_sum = getattr(extension.lib, f"vector_sum_{case.dtype}")
    array = {"float64": "double[]", "float32": "float[]"}[case.dtype]

    def run(x):
        return vector_sum(from_buffer(array, x), x.size)

    return run
