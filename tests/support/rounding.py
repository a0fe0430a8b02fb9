"""The floating-point environment of this process, which a loaded library may change."""

import contextlib
import ctypes
import os
import sys


def restore_rounding():
    """Restore the default floating-point environment of this thread, and of the threads that OpenMP started from it.

    If a GCC before 13 linked a library with -ffast-math, the thread that loads the library flushes subnormal numbers to
    0. This thread reads even the text "1e-320" as 0. Threads that it starts later flush these numbers, too.
    """
    flushed = sys.float_info.min / 2 == 0
    environment_at_start = ctypes.c_void_p(-1)  # FE_DFL_ENV of glibc and of macOS's x86
    fesetenv = ctypes.CDLL(None).fesetenv
    fesetenv(environment_at_start)
    if flushed:
        with contextlib.suppress(OSError):  # raised if GCC's OpenMP is not loaded
            openmp = ctypes.CDLL("libgomp.so.1", mode=os.RTLD_NOLOAD | os.RTLD_LAZY)
            openmp.GOMP_parallel(fesetenv, environment_at_start, os.cpu_count(), 0)
