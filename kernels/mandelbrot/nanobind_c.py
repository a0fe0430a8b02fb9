"""C point by point, the arrays taken out of Python's by nanobind."""

SOURCES = ("mandelbrot_nanobind.cpp", "mandelbrot.c")
VARIANTS = {"openmp": ("-fopenmp",)}


def prepare(case):
    return getattr(case.artifact("mandelbrot_nanobind.cpp"), case.dtype)
