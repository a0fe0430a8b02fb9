"""C loop, called through CFFI's out-of-line API mode."""

ALGORITHM = "in order"
SOURCES = ("dot.c",)
VARIANTS = {"fast": ("-ffast-math",)}


def prepare(case):
    extension, array = case.artifact("dot.c"), f"{case.ctype}[]"
    dot, from_buffer = getattr(extension.lib, f"dot_{case.dtype}"), extension.ffi.from_buffer
    return lambda x, y: dot(from_buffer(array, x), from_buffer(array, y), x.size)
