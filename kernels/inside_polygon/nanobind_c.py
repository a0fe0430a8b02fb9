"""C, pixel by pixel, called through nanobind."""

ALGORITHM = "pixel by pixel"
SOURCES = ("inside_polygon_nanobind.cpp", "inside_polygon.c")
VARIANTS = {"openmp": ("-fopenmp",)}


def prepare(case):
    return case.artifact("inside_polygon_nanobind.cpp").inside_polygon
