"""C loop with OpenMP threads, called through CFFI's API mode."""

SOURCES = ("linear_combination.c",)
FLAGS = ("-fopenmp", "-march=native")


def prepare(case):
    extension = case.artifact("linear_combination.c")
    from_buffer = extension.ffi.from_buffer
    linear_combination = getattr(extension.lib, f"linear_combination_{case.dtype}")
    array = {"float64": "double[]", "float32": "float[]"}[case.dtype]

    def run(a, x, b, y, z):
        linear_combination(a, from_buffer(array, x), b, from_buffer(array, y), from_buffer(array, z), x.size)

    return run
