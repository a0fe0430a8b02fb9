"""C loops with OpenMP threads that share the rows, called through CFFI's API mode."""

SOURCES = ("spmv.c",)
FLAGS = ("-fopenmp",)


def prepare(case):
    extension, reals, integers = case.artifact("spmv.c"), f"{case.ctype}[]", "int32_t[]"
    spmv, buffer = getattr(extension.lib, f"spmv_{case.dtype}"), extension.ffi.from_buffer

    def run(data, indices, indptr, x, y):
        matrix = buffer(reals, data), buffer(integers, indices), buffer(integers, indptr)
        spmv(y.size, *matrix, buffer(reals, x), buffer(reals, y))

    return run
