"""Pythran: point by point; with OpenMP, threads take row by row."""

SOURCES = ("_mandelbrot.py",)
VARIANTS = {"native": ("-march=native",), "openmp": ("-fopenmp", "-march=native")}


def prepare(case):
    return case.artifact("_mandelbrot.py").mandelbrot
