"""C loop, called through CFFI's out-of-line API mode."""

SOURCES = ("trace.c",)
VARIANTS = {"fast_math": ("-ffast-math",), "native": ("-ffast-math", "-march=native")}


def prepare(case):
    extension = case.artifact("trace.c")
    from_buffer = extension.ffi.from_buffer
    trace = getattr(extension.lib, f"trace_{case.dtype}")
    array = {"float64": "double[]", "float32": "float[]"}[case.dtype]

    def run(a):
        return trace(from_buffer(array, a), len(a))

    return run
