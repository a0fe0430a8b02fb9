"""C loop, called through CFFI's out-of-line API mode."""

ALGORITHM = "in order"
SOURCES = ("vector_sum.c",)
VARIANTS = {
    "fast": ("-ffast-math",),
    "generic": ("-march=generic",),
    "fast_generic": ("-ffast-math", "-march=generic"),
}


def prepare(case):
    extension, array = case.artifact("vector_sum.c"), f"{case.ctype}[]"
    vector_sum, from_buffer = getattr(extension.lib, f"vector_sum_{case.dtype}"), extension.ffi.from_buffer
    return lambda x: vector_sum(from_buffer(array, x), x.size)
