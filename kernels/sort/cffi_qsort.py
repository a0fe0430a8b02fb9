"""The C library's qsort, called through CFFI's out-of-line API mode."""

SOURCES = ("qsort.c",)


def prepare(case):
    extension, array = case.artifact("qsort.c"), f"{case.ctype}[]"
    qsort, from_buffer = getattr(extension.lib, f"qsort_{case.dtype}"), extension.ffi.from_buffer
    return lambda x, out: qsort(from_buffer(array, x), from_buffer(array, out), x.size)
