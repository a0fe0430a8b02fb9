"""Small sources in C and Cython for tests of toolchains, and a function that builds a kernel folder."""

import ctypes
from array import array

from run_implementation import build_flags

from accelbench import config, toolchains
from accelbench.store import formats

CONFIG = config.Build()
TOTAL_H = "double total(const double *x, int64_t n);\nint fast(void);\n"
TOTAL_C = """
#include <stdint.h>
#include "total.h"
#include "start.h"
double total(const double *x, int64_t n)
{
    double sum = START;
    for (int64_t i = 0; i < n; i++)
        sum += x[i];
    return sum;
}
#ifdef __FAST_MATH__
int fast(void) { return 1; }
#else
int fast(void) { return 0; }
#endif
"""
START_H = "#define START 0.0\n"
RUN = "\n\ndef run(x):\n    pass\n"
PYX = """VARIANTS = {"fast": ("-ffast-math",)}

cdef extern from *:
    '''
    #ifdef __FAST_MATH__
    #define IS_FAST 1
    #else
    #define IS_FAST 0
    #endif
    '''
    int IS_FAST


def run(const double[::1] x):
    cdef double sum = 0
    cdef Py_ssize_t i
    for i in range(x.shape[0]):
        sum += x[i]
    return sum


def fast():
    return IS_FAST
"""
NUMBERS = array("d", [0.5, 1.25, -3.0, 1024.0])
EXACT = 1022.75


def make(folder, toolchain, out, settings=None, devices=()):
    """Build a kernel folder. Store its manifest as the pipeline does, load the manifest again and return it."""
    path = out / f"{toolchain}.json"
    formats.write(
        path, toolchains.build(folder, toolchain, out, config=settings or build_flags(toolchain), devices=devices)
    )
    return toolchains.load(path)


def total(library):
    library.total.restype = ctypes.c_double
    buffer = (ctypes.c_double * len(NUMBERS))(*NUMBERS)
    return library.total(buffer, ctypes.c_int64(len(NUMBERS)))


def folders(out, toolchain):
    return {path.name: path.stat().st_mtime_ns for path in (out / toolchain).iterdir()}
