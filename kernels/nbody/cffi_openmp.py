"""C loops through CFFI's API mode: OpenMP threads share the bodies; with fast-math, SIMD lanes compute each sum."""

SOURCES = ("nbody.c",)
FLAGS = ("-fopenmp",)
VARIANTS = {"fast": ("-ffast-math",)}


def prepare(case):
    extension, array = case.artifact("nbody.c"), f"{case.ctype}[]"
    nbody, buffer = getattr(extension.lib, f"nbody_{case.dtype}"), extension.ffi.from_buffer

    def run(position, mass, softening, acceleration):
        nbody(buffer(array, position), buffer(array, mass), softening, buffer(array, acceleration), mass.size)

    return run
