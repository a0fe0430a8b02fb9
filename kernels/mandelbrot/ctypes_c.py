"""C loops, point by point, called through ctypes."""

from ctypes import CDLL, c_int32, c_int64, c_void_p

SOURCES = ("mandelbrot.c",)


def prepare(case):
    mandelbrot = getattr(CDLL(case.artifact("mandelbrot.c")), f"mandelbrot_{case.dtype}")
    mandelbrot.argtypes, mandelbrot.restype = (c_void_p, c_void_p, c_int32, c_void_p, c_int64), None

    def run(x, y, limit, counts):
        mandelbrot(x.ctypes.data, y.ctypes.data, limit, counts.ctypes.data, x.size)

    return run
