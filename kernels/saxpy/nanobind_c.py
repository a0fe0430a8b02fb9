"""C loop, called through nanobind."""

SOURCES = ("saxpy_nanobind.cpp", "saxpy.c")
VARIANTS = {"fast": ("-ffast-math",), "openmp": ("-fopenmp",)}


def prepare(case):
    return getattr(case.artifact("saxpy_nanobind.cpp"), case.dtype)
