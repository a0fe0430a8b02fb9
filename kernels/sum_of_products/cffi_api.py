"""C loops, called through CFFI's out-of-line API mode."""

ALGORITHM = "in order"
SOURCES = ("sum_of_products.c",)
VARIANTS = {"fast": ("-ffast-math",)}


def prepare(case):
    extension, array = case.artifact("sum_of_products.c"), f"{case.ctype}[]"
    add_up, buffer = getattr(extension.lib, f"sum_of_products_{case.dtype}"), extension.ffi.from_buffer
    return lambda x, y, out: add_up(buffer(array, x), buffer(array, y), buffer(array, out), *x.shape)
