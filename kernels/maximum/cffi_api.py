"""C loop, called through CFFI's out-of-line API mode."""

ALGORITHM = "in order"
SOURCES = ("maximum.c",)
VARIANTS = {"fast": ("-ffast-math",)}


def prepare(case):
    extension, array = case.artifact("maximum.c"), f"{case.ctype}[]"
    maximum, from_buffer = getattr(extension.lib, f"maximum_{case.dtype}"), extension.ffi.from_buffer
    return lambda x: maximum(from_buffer(array, x), x.size)
