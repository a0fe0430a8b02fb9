"""C loops, point by point, called through nanobind."""

SOURCES = ("mandelbrot_nanobind.cpp", "mandelbrot.c")
VARIANTS = {"openmp": ("-fopenmp",)}


def prepare(case):
    return getattr(case.artifact("mandelbrot_nanobind.cpp"), case.dtype)
