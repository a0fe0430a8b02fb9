"""C loops with OpenMP threads that share the elements, called through CFFI's API mode."""

SOURCES = ("dg_derivative.c",)
FLAGS = ("-fopenmp",)


def prepare(case):
    extension, array = case.artifact("dg_derivative.c"), f"{case.ctype}[]"
    dg_derivative, from_buffer = getattr(extension.lib, f"dg_derivative_{case.dtype}"), extension.ffi.from_buffer

    def run(matrices, u, factors, out):
        dg_derivative(*(from_buffer(array, numbers) for numbers in (matrices, u, factors, out)), *u.shape)

    return run
