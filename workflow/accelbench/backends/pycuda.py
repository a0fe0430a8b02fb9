"""PyCUDA: kernels in CUDA C, launched from Python in the device's primary context."""

import numpy as np

from accelbench.backends import cuda
from accelbench.model.device import LaunchFacts

BACKENDS = {"pycuda": "cuda"}
PACKAGES = {"pycuda": ("pycuda",)}


def probe(backend):
    """Return every CUDA device."""
    cuda.driver()
    return cuda.devices({"runtime": ".".join(map(str, cuda.import_library("pycuda.driver").get_version()[:2]))})


class Session(cuda.Session):
    """A CUDA device with a new PyCUDA stream. The session pushes the primary context on PyCUDA's stack of contexts."""

    def open(self):
        import pycuda.driver
        import pycuda.gpuarray

        self._driver, self._array = pycuda.driver, pycuda.gpuarray.GPUArray
        self.OUT_OF_MEMORY = (MemoryError, pycuda.driver.MemoryError)
        pycuda.driver.init()
        self._context = pycuda.driver.Device(0).retain_primary_context()
        self._context.push()
        stream = pycuda.driver.Stream()
        return stream, stream.handle

    def wrap(self, pointer, shape, dtype, *, memory):
        return self._array(shape, dtype, base=memory, gpudata=pointer)

    def copy_in(self, array, host):
        array.set_async(np.ascontiguousarray(host, array.dtype), self.stream)
        self.stream.synchronize()

    def copy_out(self, value, into=None):
        if not isinstance(value, self._array):
            return np.asarray(value)
        copied = value.get_async(self.stream, into)
        self.stream.synchronize()
        return copied

    def attributes(self, kernel):
        """Return the LaunchFacts of a Function from its attributes, since PyCUDA does not expose the CUfunction."""
        if not isinstance(kernel, self._driver.Function):
            return None
        return LaunchFacts(
            registers=kernel.num_regs,
            shared_bytes=kernel.shared_size_bytes,
            local_bytes=kernel.local_size_bytes,
            max_block_size=kernel.max_threads_per_block,
        )

    def trim(self):
        """Do nothing: PyCUDA caches no memory."""

    def close(self):
        """Close the session and pop the context. PyCUDA aborts a process that ends with a context on PyCUDA's stack."""
        from pycuda.tools import clear_context_caches

        super().close()
        if self._context is not None:
            self._context.pop()
            self._context = None
            clear_context_caches()
