"""C loop in one pass, shifted by the first element, called through CFFI's API mode.

Where a square overflows it is NaN, where NumPy's is infinite.
"""

SOURCES = ("standard_deviation.c",)
VARIANTS = {"fast_math": ("-ffast-math",), "native": ("-ffast-math", "-march=native")}


def prepare(case):
    extension = case.artifact("standard_deviation.c")
    from_buffer = extension.ffi.from_buffer
    deviation = getattr(extension.lib, f"standard_deviation_one_pass_{case.dtype}")
    array = f"{case.ctype}[]"
    return lambda x: deviation(from_buffer(array, x), x.size)
