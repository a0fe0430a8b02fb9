"""C loop, called through CFFI's out-of-line API mode."""

SOURCES = ("elementwise_trig.c",)
VARIANTS = {"fast": ("-ffast-math",)}


def prepare(case):
    extension, array = case.artifact("elementwise_trig.c"), f"{case.ctype}[]"
    trig, from_buffer = getattr(extension.lib, f"elementwise_trig_{case.dtype}"), extension.ffi.from_buffer
    return lambda x, out: trig(from_buffer(array, x), from_buffer(array, out), x.size)
