"""C loops, called through CFFI's out-of-line API mode."""

SOURCES = ("squared_difference_broadcast.c",)
VARIANTS = {"fast": ("-ffast-math",)}


def prepare(case):
    extension, array = case.artifact("squared_difference_broadcast.c"), f"{case.ctype}[]"
    difference, buffer = getattr(extension.lib, f"squared_difference_broadcast_{case.dtype}"), extension.ffi.from_buffer
    return lambda x, y, out: difference(buffer(array, x), buffer(array, y), buffer(array, out), *x.shape)
