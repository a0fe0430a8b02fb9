"""Fortran loops, called through f2py. They get the transposed image, since Fortran stores arrays by column."""

SOURCES = ("mandelbrot.f90",)
VARIANTS = {"openmp": ("-fopenmp",)}


def prepare(case):
    if case.size == 0:
        raise NotImplementedError("f2py refuses empty arrays")
    mandelbrot = getattr(case.artifact("mandelbrot.f90"), f"mandelbrot_{case.dtype}")
    return lambda x, y, limit, counts: mandelbrot(x, y, limit, counts.T)
