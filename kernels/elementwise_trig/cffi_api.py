"""C loop, called through CFFI's out-of-line API mode."""

SOURCES = ("elementwise_trig.c",)
VARIANTS = {"fast_math": ("-ffast-math",), "native": ("-ffast-math", "-march=native")}


def prepare(case):
    extension = case.artifact("elementwise_trig.c")
    from_buffer = extension.ffi.from_buffer
    trig = getattr(extension.lib, f"elementwise_trig_{case.dtype}")
    array = {"float64": "double[]", "float32": "float[]"}[case.dtype]

    def run(x, out):
        trig(from_buffer(array, x), from_buffer(array, out), x.size)

    return run
