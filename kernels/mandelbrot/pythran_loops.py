"""Pythran-compiled loops, point by point; with OpenMP, threads are scheduled dynamically by row."""

SOURCES = ("_mandelbrot.py",)
VARIANTS = {"openmp": ("-fopenmp",)}


def prepare(case):
    return case.artifact("_mandelbrot.py").mandelbrot
