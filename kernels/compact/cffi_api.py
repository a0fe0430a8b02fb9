"""C loop without a branch, called through CFFI's out-of-line API mode."""

SOURCES = ("compact.c",)
VARIANTS = {"native": ("-march=native",)}


def prepare(case):
    extension = case.artifact("compact.c")
    from_buffer = extension.ffi.from_buffer
    compact = getattr(extension.lib, f"compact_{case.dtype}")
    array = {"float64": "double[]", "float32": "float[]"}[case.dtype]

    def run(x, out):
        return compact(from_buffer(array, x), from_buffer(array, out), x.size)

    return run
