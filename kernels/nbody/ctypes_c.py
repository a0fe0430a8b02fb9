"""C loops, called through ctypes."""

import ctypes

SOURCES = ("nbody.c",)


def prepare(case):
    real, pointer = getattr(ctypes, f"c_{case.ctype}"), ctypes.c_void_p
    nbody = getattr(ctypes.CDLL(case.artifact("nbody.c")), f"nbody_{case.dtype}")
    nbody.argtypes, nbody.restype = (pointer, pointer, real, pointer, ctypes.c_int64), None

    def run(position, mass, softening, acceleration):
        nbody(position.ctypes.data, mass.ctypes.data, softening, acceleration.ctypes.data, mass.size)

    return run
