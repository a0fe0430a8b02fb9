"""Pythran, row by row; with OpenMP, threads share the rows."""

SOURCES = ("_inside_polygon_scanline.py",)
VARIANTS = {"openmp": ("-fopenmp",)}


def prepare(case):
    return case.artifact("_inside_polygon_scanline.py").inside_polygon
