"""Backends that compute on the host's cores, in the calling thread or in a pool of threads.

f2py, nanobind and Pythran build extension modules. Each of these backends has a separate environment. f2py is a part of
NumPy. It calls Fortran code, which expects matrices in column-major order.
"""

import itertools
import math
import os
import sys
import zlib
from timeit import Timer

import numpy as np

from accelbench.backends import GUARD_BYTE, POISON, Device, OpenDevice, waits

BACKENDS = {
    **{"python": None, "numpy": None, "ctypes": "c", "cffi": "cffi", "cython": "cython", "numba": None},
    **{"f2py": "f2py", "nanobind": "nanobind", "pythran": "pythran"},
}
PACKAGES = {
    "python": (),
    "numpy": ("numpy",),
    "ctypes": (),
    "cffi": ("cffi",),
    "cython": ("cython",),
    "numba": ("numba", "llvmlite"),
    "f2py": ("numpy",),
    "nanobind": ("nanobind",),
    "pythran": ("pythran",),
}
ENVIRONMENT = {"f2py": "f2py", "nanobind": "nanobind", "pythran": "pythran"}

ALIGNMENT = 64  # Alignment of arrays in bytes, the same in all processes: the size of a cache line
PAGE = 4096  # Size of a page in bytes
GUARD = 4096  # Size of each guard zone in bytes


def probe(backend):
    """Return the host's cores as one device."""
    return [Device("cpu")]


def guarded_empty(shape, dtype, place=0):
    """Return (array, (zone before it, zone after it)). The guard zones are filled with GUARD_BYTE.

    The array is C-contiguous and begins `place` bytes after the beginning of a page.
    """
    nbytes = math.prod(shape) * np.dtype(dtype).itemsize
    buffer = np.empty(nbytes + 2 * GUARD + PAGE, np.uint8)
    start = GUARD + (place - (buffer.ctypes.data + GUARD)) % PAGE
    before, after = buffer[start - GUARD : start], buffer[start + nbytes : start + nbytes + GUARD]
    before[:] = after[:] = GUARD_BYTE
    return buffer[start : start + nbytes].view(dtype).reshape(shape), (before, after)


def _places(seed):
    """Yield offsets of arrays from the start of a page, in bytes.

    The offsets are random multiples of ALIGNMENT. With the seed "0", all offsets are 0.
    """
    for number in itertools.count():
        yield zlib.crc32(f"{seed} {number}".encode()) % PAGE // ALIGNMENT * ALIGNMENT if seed != "0" else 0


class Session(OpenDevice):
    """The host as a device. Arrays are NumPy arrays. Calls are synchronous, unless a derived class overrides `wait`."""

    ON_HOST = True
    OUT_OF_MEMORY = (MemoryError,)

    def __init__(self, backend, device):
        self.queue = self.stream = None
        self._guards, self._places = {}, _places(os.environ.get("ACCELBENCH_PAGE_SEED", "0"))

    def settings(self):
        """Return the alignment of arrays and, in Python 3.13 or later, whether the GIL is enabled."""
        gil = {"gil": sys._is_gil_enabled()} if hasattr(sys, "_is_gil_enabled") else {}
        return {"array_alignment_bytes": ALIGNMENT, **gil}

    def load(self, artifact, folder, toolchain):
        from accelbench import toolchains  # imported lazily to speed up worker start-up

        return toolchains.open_artifact(artifact, folder, toolchain)

    def empty(self, shape, dtype):
        array, zones = guarded_empty(shape, dtype, next(self._places))
        self._guards[id(array)] = (array, zones)
        return array

    def poison(self, array):
        array.reshape(-1).view(np.uint8).fill(POISON)

    def copy_in(self, array, host):
        array.flags.writeable = True
        array[...] = host

    def copy_out(self, value, into=None):
        if into is None:
            return np.asarray(value)
        into[...] = value
        return into

    def intact(self, array):
        _, zones = self._guards[id(array)]
        return all((zone == GUARD_BYTE).all() for zone in zones)

    def release(self, array):
        self._guards.pop(id(array), None)

    def synchronise(self):
        pass

    def timers(self, call):
        """Return the timer of `compute`: timeit's loop around the call, as in `python -m timeit`."""
        timer = Timer(self.statement(call), globals=call.namespace)
        return {"compute": lambda loops, lead=False: timer.timeit(loops) / loops}

    def statement(self, call):
        """Return the statement to time. If a derived class overrides `wait`, the statement includes `wait`."""
        if not waits(self):
            return call.statement
        call.namespace.update(_wait=self.wait)
        return f"_wait({call.statement})"

    def flush_cache(self):
        pass
