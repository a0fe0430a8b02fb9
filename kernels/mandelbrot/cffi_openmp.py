"""C loops with OpenMP threads, dynamically scheduled by row, called through CFFI's API mode."""

SOURCES = ("mandelbrot.c",)
FLAGS = ("-fopenmp",)


def prepare(case):
    extension, array = case.artifact("mandelbrot.c"), f"{case.ctype}[]"
    mandelbrot, buffer = getattr(extension.lib, f"mandelbrot_{case.dtype}"), extension.ffi.from_buffer

    def run(x, y, limit, counts):
        mandelbrot(buffer(array, x), buffer(array, y), limit, buffer("int32_t[]", counts), x.size)

    return run
