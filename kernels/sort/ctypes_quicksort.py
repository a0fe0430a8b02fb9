"""std::sort of a copy in C++, called through ctypes; with OpenMP, threads sort and merge parts."""

import ctypes

SOURCES = ("quicksort.cpp",)
VARIANTS = {"openmp": ("-fopenmp", "-D_GLIBCXX_PARALLEL")}


def prepare(case):
    sort = getattr(ctypes.CDLL(case.artifact("quicksort.cpp")), f"quicksort_{case.dtype}")
    sort.argtypes, sort.restype = (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64), None
    return lambda x, out: sort(x.ctypes.data, out.ctypes.data, x.size)
