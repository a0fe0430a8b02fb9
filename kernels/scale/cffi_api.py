"""C loop, called through CFFI's out-of-line API mode."""

SOURCES = ("scale.c",)
VARIANTS = {"native": ("-march=native",)}


def prepare(case):
    extension = case.artifact("scale.c")
    from_buffer = extension.ffi.from_buffer
    scale = getattr(extension.lib, f"scale_{case.dtype}")
    array = {"float64": "double[]", "float32": "float[]"}[case.dtype]

    def run(factor, x, y):
        scale(factor, from_buffer(array, x), from_buffer(array, y), x.size)

    return run
