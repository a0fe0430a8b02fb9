"""C loop, called through CFFI's out-of-line API mode."""

SOURCES = ("vector_multiply.c",)


def prepare(case):
    extension = case.artifact("vector_multiply.c")
    from_buffer = extension.ffi.from_buffer
    multiply = getattr(extension.lib, f"vector_multiply_{case.dtype}")
    array = {"float64": "double[]", "float32": "float[]"}[case.dtype]

    def run(x, y, out):
        multiply(from_buffer(array, x), from_buffer(array, y), from_buffer(array, out), x.size)

    return run
