"""C loops in two passes, called through CFFI's out-of-line API mode."""

SOURCES = ("standard_deviation.c",)
VARIANTS = {"fast": ("-ffast-math",)}


def prepare(case):
    extension, array = case.artifact("standard_deviation.c"), f"{case.ctype}[]"
    deviation, from_buffer = getattr(extension.lib, f"standard_deviation_{case.dtype}"), extension.ffi.from_buffer
    return lambda x: deviation(from_buffer(array, x), x.size)
