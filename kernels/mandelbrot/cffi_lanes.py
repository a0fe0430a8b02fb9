"""C in SIMD lanes, 16 points at a time, called through CFFI's API mode."""

SOURCES = ("mandelbrot_lanes.c",)
FLAGS = ("-march=native",)
VARIANTS = {"openmp": ("-fopenmp",)}


def prepare(case):
    extension, array = case.artifact("mandelbrot_lanes.c"), f"{case.ctype}[]"
    mandelbrot, buffer = getattr(extension.lib, f"mandelbrot_lanes_{case.dtype}"), extension.ffi.from_buffer

    def run(x, y, limit, counts):
        mandelbrot(buffer(array, x), buffer(array, y), limit, buffer("int32_t[]", counts), x.size)

    return run
