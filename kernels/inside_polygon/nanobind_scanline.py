"""C, row by row, called through nanobind."""

SOURCES = ("inside_polygon_nanobind.cpp", "inside_polygon.c")
VARIANTS = {"openmp": ("-fopenmp",)}


def prepare(case):
    return case.artifact("inside_polygon_nanobind.cpp").inside_polygon_scanline
