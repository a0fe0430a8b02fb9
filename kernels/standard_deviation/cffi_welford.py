"""C loop in one pass by Welford's update, called through CFFI's API mode."""

SOURCES = ("standard_deviation.c",)
FLAGS = ("-march=native",)


def prepare(case):
    extension = case.artifact("standard_deviation.c")
    from_buffer = extension.ffi.from_buffer
    deviation = getattr(extension.lib, f"standard_deviation_welford_{case.dtype}")
    array = {"float64": "double[]", "float32": "float[]"}[case.dtype]

    def run(x):
        return deviation(from_buffer(array, x), x.size)

    return run
