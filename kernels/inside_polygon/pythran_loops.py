"""Pythran, pixel by pixel; with OpenMP, threads share the rows."""

ALGORITHM = "pixel by pixel"
SOURCES = ("_inside_polygon.py",)
VARIANTS = {"openmp": ("-fopenmp",)}


def prepare(case):
    return case.artifact("_inside_polygon.py").inside_polygon
