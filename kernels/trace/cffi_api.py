"""C loop, called through CFFI's out-of-line API mode."""

SOURCES = ("trace.c",)
VARIANTS = {"fast": ("-ffast-math",)}


def prepare(case):
    extension, array = case.artifact("trace.c"), f"{case.ctype}[]"
    trace, from_buffer = getattr(extension.lib, f"trace_{case.dtype}"), extension.ffi.from_buffer
    return lambda a: trace(from_buffer(array, a), len(a))
