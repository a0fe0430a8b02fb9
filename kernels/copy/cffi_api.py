"""C loop, called through CFFI's out-of-line API mode."""

SOURCES = ("copy.c",)


def prepare(case):
    extension = case.artifact("copy.c")
    from_buffer = extension.ffi.from_buffer
    copy = getattr(extension.lib, f"copy_{case.dtype}")
    array = {"float64": "double[]", "float32": "float[]"}[case.dtype]

    def run(x, out):
        copy(from_buffer(array, x), from_buffer(array, out), x.size)

    return run
