"""C, pixel by pixel, called through ctypes."""

from ctypes import CDLL, c_int64, c_void_p

ALGORITHM = "pixel by pixel"
SOURCES = ("inside_polygon.c",)


def prepare(case):
    inside_polygon = CDLL(case.artifact("inside_polygon.c")).inside_polygon_int32
    inside_polygon.argtypes, inside_polygon.restype = (c_void_p, c_int64, c_void_p, c_int64, c_int64), None
    return lambda polygon, mask: inside_polygon(polygon.ctypes.data, len(polygon), mask.ctypes.data, *mask.shape)
