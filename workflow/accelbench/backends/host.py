"""The backends whose work is done by the host's cores, in the calling thread or its pool: all share this module."""

import itertools
import math
import os
import zlib
from timeit import Timer

import numpy as np

from accelbench import backends
from accelbench.backends import GUARD_BYTE, POISON, Device, OpenDevice

BACKENDS = {"python": None, "numpy": None, "ctypes": "c", "cffi": "cffi", "cython": "cython", "numba": None}
PACKAGES = {
    "python": (),
    "numpy": ("numpy",),
    "ctypes": (),
    "cffi": ("cffi",),
    "cython": ("cython",),
    "numba": ("numba", "llvmlite"),
}

ALIGNMENT = 64  # bytes: a cache line, so that no process draws a luckier alignment than another
PAGE = 4096  # bytes
GUARD = 4096  # bytes on either side of every array


def probe(backend):
    """The host's cores are one device."""
    return [Device("cpu")]


def guarded_empty(shape, dtype, place=0):
    """(array, guard zones): a C-contiguous array within a larger buffer whose ends hold GUARD_BYTE; it begins `place`
    bytes after the beginning of a page."""
    nbytes = math.prod(shape) * np.dtype(dtype).itemsize
    buffer = np.empty(nbytes + 2 * GUARD + PAGE, np.uint8)
    start = GUARD + (place - (buffer.ctypes.data + GUARD)) % PAGE
    before, after = buffer[start - GUARD : start], buffer[start + nbytes : start + nbytes + GUARD]
    before[:] = after[:] = GUARD_BYTE
    return buffer[start : start + nbytes].view(dtype).reshape(shape), (before, after)


def _places(seed):
    """Where within a page one array after the other begins: cache lines at random, from a seed; page by page for 0."""
    for number in itertools.count():
        yield zlib.crc32(f"{seed} {number}".encode()) % PAGE // ALIGNMENT * ALIGNMENT if seed != "0" else 0


class Session(OpenDevice):
    """The host as a device: arrays are NumPy arrays, copying in is a copy, nothing has to be waited for but what a
    library's own `wait` waits for."""

    ON_HOST = True
    OUT_OF_MEMORY = (MemoryError,)

    def __init__(self, backend, device):
        self.queue = self.stream = None
        self._guards, self._places = {}, _places(os.environ.get("ACCELBENCH_PAGE_SEED", "0"))

    def settings(self):
        return {"array_alignment_bytes": ALIGNMENT}

    def load(self, artifact, folder, toolchain):
        from accelbench import toolchains  # here: what builds nothing starts sooner

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
        """`compute` is timeit's own loop around the call: what `python -m timeit` of the same spelling shows."""
        timer = Timer(self.statement(call), globals=call.namespace)
        return {"compute": lambda loops, lead=False: timer.timeit(loops) / loops}

    def statement(self, call):
        """What is timed: the call, and the wait for its result where the library has one."""
        if not backends.waits(self):
            return call.statement
        call.namespace.update(_wait=self.wait)
        return f"_wait({call.statement})"

    def flush_cache(self):
        pass
