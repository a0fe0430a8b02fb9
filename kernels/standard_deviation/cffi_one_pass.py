"""C loop in one pass, shifted by the first element, called through CFFI's API mode.

Where a square overflows, the result is NaN; NumPy's is infinite.
"""

SOURCES = ("standard_deviation.c",)
VARIANTS = {"fast_math": ("-ffast-math",), "native": ("-ffast-math", "-march=native")}


def prepare(case):
    extension, array = case.artifact("standard_deviation.c"), f"{case.ctype}[]"
    deviation, buffer = getattr(extension.lib, f"standard_deviation_one_pass_{case.dtype}"), extension.ffi.from_buffer
    return lambda x: deviation(buffer(array, x), x.size)
