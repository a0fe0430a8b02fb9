"""C loop, called through CFFI's out-of-line API mode."""

SOURCES = ("softplus.c",)
VARIANTS = {"fast": ("-ffast-math",)}


def prepare(case):
    extension, array = case.artifact("softplus.c"), f"{case.ctype}[]"
    softplus, from_buffer = getattr(extension.lib, f"softplus_{case.dtype}"), extension.ffi.from_buffer
    return lambda x, out: softplus(from_buffer(array, x), from_buffer(array, out), x.size)
