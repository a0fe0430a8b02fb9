"""C, row by row, called through ctypes."""

from ctypes import CDLL, c_int64, c_void_p

SOURCES = ("inside_polygon.c",)
VARIANTS = {"openmp": ("-fopenmp",)}


def prepare(case):
    inside_polygon = CDLL(case.artifact("inside_polygon.c")).inside_polygon_scanline_int32
    inside_polygon.argtypes, inside_polygon.restype = (c_void_p, c_int64, c_void_p, c_int64, c_int64), None
    return lambda polygon, mask: inside_polygon(polygon.ctypes.data, len(polygon), mask.ctypes.data, *mask.shape)
