"""How this process rounds, which a library that is loaded may change."""

import contextlib
import ctypes
import os
import sys


def restore_rounding():
    """This thread, and those that OpenMP has started from it, round again as processes do when they begin: libraries
    linked with -ffast-math by a GCC before 13 make numbers below the normal ones 0 for the thread that loads them,
    "1e-320" read from a text among them, and for the threads that it starts then."""
    flushed = sys.float_info.min / 2 == 0
    environment_at_start = ctypes.c_void_p(-1)  # FE_DFL_ENV of glibc and of macOS's x86
    fesetenv = ctypes.CDLL(None).fesetenv
    fesetenv(environment_at_start)
    if flushed:
        with contextlib.suppress(OSError):  # where no library has loaded GCC's OpenMP
            openmp = ctypes.CDLL("libgomp.so.1", mode=os.RTLD_NOLOAD | os.RTLD_LAZY)
            openmp.GOMP_parallel(fesetenv, environment_at_start, os.cpu_count(), 0)
