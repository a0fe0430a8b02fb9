"""C loop, called through CFFI's out-of-line API mode."""

SOURCES = ("softplus.c",)
VARIANTS = {"fast_math": ("-ffast-math",), "native": ("-ffast-math", "-march=native")}


def prepare(case):
    extension = case.artifact("softplus.c")
    from_buffer = extension.ffi.from_buffer
    softplus = getattr(extension.lib, f"softplus_{case.dtype}")
    array = {"float64": "double[]", "float32": "float[]"}[case.dtype]

    def run(x, out):
        softplus(from_buffer(array, x), from_buffer(array, out), x.size)

    return run
