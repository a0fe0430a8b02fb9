"""C loop, called through CFFI's out-of-line API mode."""

SOURCES = ("squared_difference_mixed.c",)
VARIANTS = {"fast_math": ("-ffast-math",), "native": ("-ffast-math", "-march=native")}


def prepare(case):
    extension = case.artifact("squared_difference_mixed.c")
    from_buffer = extension.ffi.from_buffer
    squared_difference = getattr(extension.lib, f"squared_difference_mixed_{case.dtype}")
    array = {"float64": "double[]", "float32": "float[]"}[case.dtype]

    def run(x, y, out):
        squared_difference(from_buffer("int16_t[]", x), from_buffer(array, y), from_buffer(array, out), x.size)

    return run
