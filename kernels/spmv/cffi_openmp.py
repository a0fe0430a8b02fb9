"""C loops with OpenMP threads sharing the rows, called through CFFI's API mode."""

SOURCES = ("spmv.c",)
FLAGS = ("-fopenmp", "-march=native")


def prepare(case):
    extension = case.artifact("spmv.c")
    buffer = extension.ffi.from_buffer
    spmv = getattr(extension.lib, f"spmv_{case.dtype}")
    reals = f"{case.ctype}[]"
    integers = "int32_t[]"

    def run(data, indices, indptr, x, y):
        matrix = buffer(reals, data), buffer(integers, indices), buffer(integers, indptr)
        spmv(y.size, *matrix, buffer(reals, x), buffer(reals, y))

    return run
