"""C loop, called through CFFI's out-of-line API mode."""

SOURCES = ("multiply_add.c",)
VARIANTS = {"native": ("-march=native",)}


def prepare(case):
    extension = case.artifact("multiply_add.c")
    from_buffer = extension.ffi.from_buffer
    multiply_add = getattr(extension.lib, f"multiply_add_{case.dtype}")
    array = {"float64": "double[]", "float32": "float[]"}[case.dtype]

    def run(x1, x2, b, out):
        multiply_add(from_buffer(array, x1), from_buffer(array, x2), b, from_buffer(array, out), x1.size)

    return run
