"""C loop, called through CFFI's out-of-line API mode."""

ALGORITHM = {"simd": "scan"}
SOURCES = ("cumsum.c",)
VARIANTS = {"fast": ("-ffast-math",), "simd": ("-fopenmp-simd",)}


def prepare(case):
    extension, array = case.artifact("cumsum.c"), f"{case.ctype}[]"
    cumsum, from_buffer = getattr(extension.lib, f"cumsum_{case.dtype}"), extension.ffi.from_buffer
    return lambda x, out: cumsum(from_buffer(array, x), from_buffer(array, out), x.size)
