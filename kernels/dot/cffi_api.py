"""C loop, called through CFFI's out-of-line API mode."""

SOURCES = ("dot.c",)
VARIANTS = {"fast_math": ("-ffast-math",), "native": ("-ffast-math", "-march=native")}


def prepare(case):
    extension = case.artifact("dot.c")
    from_buffer = extension.ffi.from_buffer
    dot = getattr(extension.lib, f"dot_{case.dtype}")
    array = {"float64": "double[]", "float32": "float[]"}[case.dtype]

    def run(x, y):
        return dot(from_buffer(array, x), from_buffer(array, y), x.size)

    return run
