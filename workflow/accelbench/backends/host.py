"""The backends whose work is done by the host's cores, in the calling thread or its pool: all share this module."""

import math
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
GUARD = 4096  # bytes on either side of every array; a page, so that alignment within pages stays as allocated


def probe(backend):
    """The host's cores are one device."""
    return [Device("cpu")]


def guarded_empty(shape, dtype):
    """(array, guard zones): an aligned C-contiguous array within a larger buffer whose ends hold GUARD_BYTE."""
    nbytes = math.prod(shape) * np.dtype(dtype).itemsize
    buffer = np.empty(nbytes + 2 * GUARD + ALIGNMENT, np.uint8)
    start = GUARD + -(buffer.ctypes.data + GUARD) % ALIGNMENT
    before, after = buffer[start - GUARD : start], buffer[start + nbytes : start + nbytes + GUARD]
    before[:] = after[:] = GUARD_BYTE
    return buffer[start : start + nbytes].view(dtype).reshape(shape), (before, after)


class Session(OpenDevice):
    """The host as a device: arrays are NumPy arrays, copying in is a copy, nothing has to be waited for but what a
    library's own `wait` waits for."""

    ON_HOST = True
    OUT_OF_MEMORY = (MemoryError,)

    def __init__(self, backend, device):
        self.queue = self.stream = None
        self._guards = {}

    def settings(self):
        return {"array_alignment_bytes": ALIGNMENT}

    def load(self, artifact, folder, toolchain):
        from accelbench import toolchains  # here: what builds nothing starts sooner

        return toolchains.open_artifact(artifact, folder, toolchain)

    def empty(self, shape, dtype):
        array, zones = guarded_empty(shape, dtype)
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

    def close(self):
        self._guards.clear()
