"""C loops with SIMD lanes, OpenMP threads sharing the rows, called through CFFI's API mode."""

SOURCES = ("sum_of_products.c",)
FLAGS = ("-fopenmp", "-ffast-math", "-march=native")


def prepare(case):
    extension, array = case.artifact("sum_of_products.c"), f"{case.ctype}[]"
    sum_of_products, from_buffer = getattr(extension.lib, f"sum_of_products_{case.dtype}"), extension.ffi.from_buffer

    def run(x, y, out):
        sum_of_products(from_buffer(array, x), from_buffer(array, y), from_buffer(array, out), *x.shape)

    return run
