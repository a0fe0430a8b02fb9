"""The C library's memmove through ctypes, without any C of our own."""

from ctypes import memmove


def run(x, out):
    memmove(out.ctypes.data, x.ctypes.data, x.nbytes)
