"""Pythran: point by point; with OpenMP, threads take row by row."""

SOURCES = ("_mandelbrot.py",)
VARIANTS = {"openmp": ("-fopenmp",)}


def prepare(case):
    return case.artifact("_mandelbrot.py").mandelbrot
