"""Numba's CUDA target: kernels written in Python."""

import numpy as np

from accelbench.backends import Unavailable, cuda, install_command
from accelbench.model.device import LaunchFacts

BACKENDS = {"numba_cuda": None}
PACKAGES = {"numba_cuda": ("numba-cuda", "numba")}

# numba-cuda up to 0.30 uses np.row_stack when it compiles. NumPy 2.5 removed this alias of vstack, so define the alias
# here. A Session would define it too late, since decorators with signatures compile while a worker imports the
# implementation.
if not hasattr(np, "row_stack"):
    np.row_stack = np.vstack


def probe(backend):
    """Return every CUDA device. Raise Unavailable if Numba simulates CUDA.

    The simulator computes in Python, so its times say nothing about a GPU.
    """
    library = cuda.import_library("numba.cuda")
    if library.config.ENABLE_CUDASIM:
        raise Unavailable("Numba simulates CUDA, and simulated calls are not timed", "unset NUMBA_ENABLE_CUDASIM")
    return devices(library, "numba-cuda")


def devices(library, package):
    """Return every CUDA device, with the version of the CUDA runtime that `library` uses."""
    cuda.driver()
    try:
        runtime = library.runtime.get_version()
    except Exception as error:
        # Numba looks for its compiler in several places. The type of the exception differs from place to place.
        problem, remedy = f"{package} finds no NVRTC ({error})", install_command(f"{package}[cu12] or [cu13]")
        raise Unavailable(problem, remedy) from None
    return cuda.devices({"runtime": ".".join(map(str, runtime))})


class Session(cuda.Session):
    """A CUDA device with a new Numba stream."""

    LIBRARY = "numba.cuda"
    DISPATCHER = "CUDADispatcher"

    def open(self):
        self._library = library = cuda.import_library(self.LIBRARY)
        library.select_device(0)
        self._context = library.current_context()
        stream = library.stream()
        return stream, int(stream)

    def wrap(self, pointer, shape, dtype, *, memory):
        return self._library.from_cuda_array_interface(cuda.interface(pointer, shape, dtype), owner=memory)

    def copy_in(self, array, host):
        array.copy_to_device(np.ascontiguousarray(host, array.dtype), stream=self.stream)
        self.stream.synchronize()

    def copy_out(self, value, into=None):
        if not hasattr(value, "copy_to_host"):
            return np.asarray(value)
        copied = value.copy_to_host(into, stream=self.stream)
        self.stream.synchronize()
        return copied

    def attributes(self, kernel):
        """Return the LaunchFacts of the kernel that a dispatcher compiled last, or None if none was compiled."""
        # `kernel` is a dispatcher, or a launcher `kernel[blocks, threads]`. The launcher's attribute that holds the
        # dispatcher has different names in numba-cuda and numba-cuda-mlir.
        dispatcher = getattr(kernel, "dispatcher", getattr(kernel, "_dispatcher", kernel))
        overloads = dispatcher.overloads.values() if type(dispatcher).__name__ == self.DISPATCHER else ()
        compiled = next(reversed(overloads), None)
        return compiled and self.facts_of(compiled)

    def facts_of(self, compiled):
        return LaunchFacts(
            registers=compiled.regs_per_thread,
            shared_bytes=compiled.shared_mem_per_block,
            local_bytes=compiled.local_mem_per_thread,
            max_block_size=compiled.max_threads_per_block,
        )

    def occupancy(self, kernel, facts, *, threads, shared_bytes):
        shared_bytes = getattr(kernel, "sharedmem", shared_bytes)
        return super().occupancy(kernel, facts, threads=threads, shared_bytes=shared_bytes)

    def trim(self):
        self._context.memory_manager.deallocations.clear()
