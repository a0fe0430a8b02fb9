"""An empty C function, called through CFFI's API mode: the cost of crossing into C, without a device."""

SOURCES = ("launch.c",)


def prepare(case):
    extension = case.artifact("launch.c")
    nothing, from_buffer = getattr(extension.lib, f"launch_{case.dtype}"), extension.ffi.from_buffer
    return lambda x: nothing(from_buffer("double[]", x))
