"""C loops, called through CFFI's out-of-line API mode."""

SOURCES = ("stencil.c",)
VARIANTS = {"fast_math": ("-ffast-math",), "native": ("-ffast-math", "-march=native")}


def prepare(case):
    extension = case.artifact("stencil.c")
    from_buffer = extension.ffi.from_buffer
    stencil = getattr(extension.lib, f"stencil_{case.dtype}")
    array = {"float64": "double[]", "float32": "float[]"}[case.dtype]

    def run(x, out):
        stencil(from_buffer(array, x), from_buffer(array, out), len(x))

    return run
