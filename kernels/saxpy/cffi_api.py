"""C loop, called through CFFI's out-of-line API mode."""

SOURCES = ("saxpy.c",)
VARIANTS = {"fast_math": ("-ffast-math",), "native": ("-ffast-math", "-march=native")}


def prepare(case):
    extension = case.artifact("saxpy.c")
    from_buffer = extension.ffi.from_buffer
    saxpy = getattr(extension.lib, f"saxpy_{case.dtype}")
    array = {"float64": "double[]", "float32": "float[]"}[case.dtype]

    def run(a, x, y, out):
        saxpy(a, from_buffer(array, x), from_buffer(array, y), from_buffer(array, out), x.size)

    return run
