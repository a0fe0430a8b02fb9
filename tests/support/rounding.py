"""How this process rounds, which a library that is loaded may change."""

import ctypes


def restore_rounding():
    """This thread rounds again as processes do when they begin: libraries linked with -ffast-math by a GCC before 13
    make numbers below the normal ones 0 for the thread that loads them, "1e-320" read from a text among them."""
    environment_at_start = ctypes.c_void_p(-1)  # FE_DFL_ENV of glibc and of macOS's x86
    ctypes.CDLL(None).fesetenv(environment_at_start)
