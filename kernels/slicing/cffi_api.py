"""C loops, called through CFFI's out-of-line API mode."""

SOURCES = ("slicing.c",)
VARIANTS = {"native": ("-march=native",)}


def prepare(case):
    extension = case.artifact("slicing.c")
    from_buffer = extension.ffi.from_buffer
    slicing = getattr(extension.lib, f"slicing_{case.dtype}")
    array = {"float64": "double[]", "float32": "float[]"}[case.dtype]

    def run(x, out):
        slicing(from_buffer(array, x), from_buffer(array, out), *out.shape)

    return run
