"""numba-cuda-mlir: kernels written in Python, compiled by NVIDIA's successor of Numba's CUDA target.

The backend runs the implementations of the backend numba_cuda, which import `numba`. numba-cuda-mlir has the functions
of `numba.cuda` in the module `numba_cuda_mlir.cuda`. So a worker of this backend replaces the module `numba` by a
stand-in.
"""

import importlib
import re
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
    """Return the stand-in's attribute `name`: the library for "cuda", otherwise a type of it, such as int32."""
    library = importlib.import_module(Session.LIBRARY)
    return library if name == "cuda" else getattr(library, name)


class Session(numba_cuda.Session):
    """A CUDA device with a stream of numba-cuda-mlir."""

    LIBRARY = "numba_cuda_mlir.cuda"
    DISPATCHER = "MLIRDispatcher"
    REASONS = (
        (
            re.compile("destination is read-only"),
            "unsupported",
            "numba-cuda-mlir copies every host array back after a launch, even a read-only input",
        ),
        (
            re.compile("not launch Numba-CUDA kernels"),
            "unsupported",
            "cuda.reduce of numba-cuda-mlir needs Numba-CUDA",
        ),
    )

    @staticmethod
    def variables(device, threads):
        """Return the environment variables of a CUDA device. Replace the module `numba` by the stand-in.

        The stand-in imports the library when an implementation first uses one of the stand-in's attributes.
        """
        numba = types.ModuleType("numba")
        numba.__getattr__ = _attribute
        sys.modules.update(numba=numba)
        return cuda.Session.variables(device, threads)

    def wrap(self, pointer, shape, dtype, *, memory):
        """Return an array of the library that keeps the memory alive."""
        owner = types.SimpleNamespace(__cuda_array_interface__=cuda.interface(pointer, shape, dtype), memory=memory)
        return self._library.as_cuda_array(owner)

    def facts_of(self, compiled):
        """Return the LaunchFacts from the attributes that the library reads from the driver."""
        return super().facts_of(types.SimpleNamespace(**compiled._codelibrary.get_kernel_attributes()))
