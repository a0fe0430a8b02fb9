"""Rust, row by row, called through ctypes."""

from ctypes import CDLL, c_size_t, c_void_p

PARAMETERS = ("threads",)
SOURCES = ("inside_polygon.rs",)
TOOLCHAIN = "rust"


def prepare(case):
    inside_polygon, threads = CDLL(case.artifact("inside_polygon.rs")).inside_polygon_int32, case.threads
    inside_polygon.argtypes = c_void_p, c_size_t, c_void_p, c_size_t, c_size_t, c_size_t
    inside_polygon.restype = None

    def run(polygon, mask):
        inside_polygon(polygon.ctypes.data, len(polygon), mask.ctypes.data, *mask.shape, threads)

    return run
