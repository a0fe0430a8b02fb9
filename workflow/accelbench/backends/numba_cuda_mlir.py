"""numba-cuda-mlir: kernels written in Python, by NVIDIA's compiler that succeeds Numba's. It runs numba_cuda's files.

The library has the functions of `numba.cuda` under a name of its own. In a worker of this backend `numba` means it.
"""

import importlib
import sys
import types

from accelbench.backends import cuda, numba_cuda

BACKENDS = {"numba_cuda_mlir": None}
PACKAGES = {"numba_cuda_mlir": ("numba-cuda-mlir",)}
ENVIRONMENT = "numba_cuda_mlir"
FILES_OF = "numba_cuda"


def probe(backend):
    return numba_cuda.devices(cuda.import_library(Session.LIBRARY), "numba-cuda-mlir")


def _attribute(name):
    """Return `numba.cuda`, or a type such as `numba.int32`."""
    library = importlib.import_module(Session.LIBRARY)
    return library if name == "cuda" else getattr(library, name)


class Session(numba_cuda.Session):
    """A CUDA device with a stream of numba-cuda-mlir."""

    LIBRARY = "numba_cuda_mlir.cuda"
    DISPATCHER = "MLIRDispatcher"

    @staticmethod
    def variables(device, threads):
        """Bind `numba`, too. The library itself is imported when the implementation imports it."""
        numba = types.ModuleType("numba")
        numba.__getattr__ = _attribute
        sys.modules.update(numba=numba)
        return cuda.Session.variables(device, threads)

    def wrap(self, pointer, shape, dtype, *, memory):
        """Return its own array. The memory stays alive with it."""
        owner = types.SimpleNamespace(__cuda_array_interface__=cuda.interface(pointer, shape, dtype), memory=memory)
        return self._library.as_cuda_array(owner)

    def facts_of(self, compiled):
        """Return what the library asks the driver, under the names that numba.cuda has."""
        return super().facts_of(types.SimpleNamespace(**compiled._codelibrary.get_kernel_attributes()))
