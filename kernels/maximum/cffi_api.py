"""C loop, called through CFFI's out-of-line API mode."""

SOURCES = ("maximum.c",)
VARIANTS = {"fast_math": ("-ffast-math",), "native": ("-ffast-math", "-march=native")}


def prepare(case):
    extension = case.artifact("maximum.c")
    from_buffer = extension.ffi.from_buffer
    maximum = getattr(extension.lib, f"maximum_{case.dtype}")
    array = {"float64": "double[]", "float32": "float[]"}[case.dtype]

    def run(x):
        return maximum(from_buffer(array, x), x.size)

    return run
