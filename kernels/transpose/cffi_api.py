"""C loops, row by row, called through CFFI's out-of-line API mode."""

ALGORITHM = "row by row"
SOURCES = ("transpose.c",)


def prepare(case):
    extension, array = case.artifact("transpose.c"), f"{case.ctype}[]"
    transpose, from_buffer = getattr(extension.lib, f"transpose_{case.dtype}"), extension.ffi.from_buffer
    return lambda x, out: transpose(from_buffer(array, x), from_buffer(array, out), len(x))
