"""Branch-free C loop, called through CFFI's out-of-line API mode."""

SOURCES = ("compact.c",)


def prepare(case):
    extension, array = case.artifact("compact.c"), f"{case.ctype}[]"
    compact, from_buffer = getattr(extension.lib, f"compact_{case.dtype}"), extension.ffi.from_buffer
    return lambda x, out: compact(from_buffer(array, x), from_buffer(array, out), x.size)
