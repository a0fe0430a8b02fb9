"""A C function that does nothing, through CFFI's API mode: the crossing into C alone, no device."""

SOURCES = ("launch.c",)


def prepare(case):
    extension = case.artifact("launch.c")
    nothing, from_buffer = getattr(extension.lib, f"launch_{case.dtype}"), extension.ffi.from_buffer
    return lambda x: nothing(from_buffer("double[]", x))
