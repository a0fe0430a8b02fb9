"""C loops, called through CFFI's out-of-line API mode."""

SOURCES = ("l2norm.c",)
VARIANTS = {"fast_math": ("-ffast-math",), "native": ("-ffast-math", "-march=native")}


def prepare(case):
    extension = case.artifact("l2norm.c")
    from_buffer = extension.ffi.from_buffer
    l2norm = getattr(extension.lib, f"l2norm_{case.dtype}")
    array = {"float64": "double[]", "float32": "float[]"}[case.dtype]

    def run(x, out):
        l2norm(from_buffer(array, x), from_buffer(array, out), *x.shape)

    return run
