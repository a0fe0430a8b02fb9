"""cuda.core: NVIDIA's Python interface to CUDA. It launches kernels of .cu files."""

import ctypes
import math

import numpy as np

from accelbench.backends import Unavailable, cuda, install_command

BACKENDS = {"cuda_core": "cuda"}
PACKAGES = {"cuda_core": ("cuda-core", "cuda-bindings")}
ENVIRONMENT = "cuda13"


def probe(backend):
    """Return every CUDA device."""
    cuda.driver()
    library, utilities = cuda.import_library("cuda.core"), cuda.import_library("cuda.core.utils")
    if not hasattr(library, "Device") or not hasattr(utilities.StridedMemoryView, "from_buffer"):
        raise Unavailable("cuda-core is older than 0.6, which renamed its classes", install_command("-U cuda-core"))
    runtime = cuda.import_library("cuda.bindings").__version__
    cuda.check_driver(runtime)
    return cuda.devices({"runtime": runtime})


class Session(cuda.Session):
    """A CUDA device with a new cuda.core stream.

    Arrays are StridedMemoryViews: buffers of cuda.core with a shape. Kernels get the `ptr` of an array as an argument.
    """

    def open(self):
        self._core = cuda.import_library("cuda.core")
        self._view = cuda.import_library("cuda.core.utils").StridedMemoryView
        device = self._core.Device(0)
        device.set_current()
        stream = device.create_stream(options=self._core.StreamOptions(nonblocking=False))
        return stream, int(stream.handle)

    def wrap(self, pointer, shape, dtype, *, memory):
        buffer = self._buffer(pointer, math.prod(shape) * dtype.itemsize, owner=memory)
        return self._view.from_buffer(buffer, shape, dtype=dtype)

    def copy_in(self, array, host):
        host = np.ascontiguousarray(host, array.dtype)
        if host.nbytes:
            array.exporting_obj.copy_from(self._buffer(host.ctypes.data, host.nbytes), stream=self.stream)
        self.stream.sync()

    def copy_out(self, value, into=None):
        if not isinstance(value, self._view):
            return np.asarray(value)
        into = np.empty(value.shape, value.dtype) if into is None else into
        if into.nbytes:
            value.exporting_obj.copy_to(self._buffer(into.ctypes.data, into.nbytes), stream=self.stream)
        self.stream.sync()
        return into

    def _buffer(self, pointer, nbytes, **owner):
        return self._core.Buffer.from_handle(pointer, nbytes, **owner)

    def function(self, kernel):
        """Return the CUfunction of a Kernel in the current context, or None for any other object.

        A cuda.core Kernel holds a CUkernel, which is valid in all contexts.
        """
        if not isinstance(kernel, self._core.Kernel):
            return None
        return self._api.ask("cuKernelGetFunction", ctypes.c_void_p, int(kernel.handle))
