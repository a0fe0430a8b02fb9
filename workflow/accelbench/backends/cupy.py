"""CuPy: NumPy's functions on an NVIDIA GPU."""

import numpy as np

from accelbench.backends import Unavailable, cuda
from accelbench.discovery import installed_version

# Distributions of CuPy for different versions of CUDA. PACKAGES has the first distribution that is installed. If none
# is installed, PACKAGES has the first in this list.
WHEELS = ("cupy-cuda12x", "cupy-cuda13x", "cupy-cuda11x", "cupy")

BACKENDS = {"cupy": "cuda"}
PACKAGES = {"cupy": (next(filter(installed_version, WHEELS), WHEELS[0]),)}


def probe(backend):
    """Return every CUDA device."""
    cuda.driver()
    runtime = cuda.import_library("cupy").cuda.runtime
    try:
        runtime.getDeviceCount()
    except runtime.CUDARuntimeError as error:
        raise Unavailable(f"CuPy does not work with this driver: {error}") from None
    return cuda.devices({"runtime": cuda.version_text(runtime.runtimeGetVersion())})


class Session(cuda.Session):
    """A CUDA device with a new CuPy stream as the current stream."""

    def open(self):
        import cupy

        self._cupy = cupy
        cupy.cuda.Device(0).use()
        cupy.cuda.runtime.free(0)  # creates the primary context
        stream = cupy.cuda.Stream()
        stream.use()
        return stream, stream.ptr

    def wrap(self, pointer, shape, dtype, *, memory):
        cupy = self._cupy
        owned = cupy.cuda.UnownedMemory(pointer, memory.nbytes, memory, 0)
        return cupy.ndarray(shape, dtype, memptr=cupy.cuda.MemoryPointer(owned, 0))

    def copy_in(self, array, host):
        array.set(np.ascontiguousarray(host, array.dtype), stream=self.stream)
        self.stream.synchronize()

    def copy_out(self, value, into=None):
        if isinstance(value, self._cupy.ndarray):
            return value.get(stream=self.stream, out=into)
        return np.asarray(value)

    def function(self, kernel):
        """Return the CUfunction of a RawKernel, or None for any other object.

        RawModule.get_function also returns RawKernels.
        """
        return kernel.kernel.ptr if isinstance(kernel, self._cupy.RawKernel) else None

    def trim(self):
        self._cupy.get_default_memory_pool().free_all_blocks()

    def settings(self):
        """Return CuPy's numbers of the libraries (CUB, cuTENSOR) that its reductions and other functions may use."""
        from cupy._core import get_reduction_accelerators, get_routine_accelerators

        return {
            "cupy_reduction_accelerators": [int(a) for a in get_reduction_accelerators()],
            "cupy_routine_accelerators": [int(a) for a in get_routine_accelerators()],
        }
