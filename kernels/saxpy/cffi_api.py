"""C loop, called through CFFI's out-of-line API mode."""

SOURCES = ("saxpy.c",)
VARIANTS = {"fast": ("-ffast-math",)}


def prepare(case):
    extension, array = case.artifact("saxpy.c"), f"{case.ctype}[]"
    saxpy, from_buffer = getattr(extension.lib, f"saxpy_{case.dtype}"), extension.ffi.from_buffer
    return lambda a, x, y, out: saxpy(a, from_buffer(array, x), from_buffer(array, y), from_buffer(array, out), x.size)
