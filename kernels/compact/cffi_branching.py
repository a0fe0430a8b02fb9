"""C loop with a branch per element, called through CFFI's out-of-line API mode."""

SOURCES = ("compact.c",)


def prepare(case):
    extension = case.artifact("compact.c")
    from_buffer = extension.ffi.from_buffer
    compact = getattr(extension.lib, f"compact_branching_{case.dtype}")
    array = {"float64": "double[]", "float32": "float[]"}[case.dtype]

    def run(x, out):
        return compact(from_buffer(array, x), from_buffer(array, out), x.size)

    return run
