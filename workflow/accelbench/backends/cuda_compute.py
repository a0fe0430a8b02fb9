"""cuda.compute: CUB's device-wide algorithms, called from Python with CuPy's arrays. The package is cuda-cccl.

Creating an algorithm compiles it, which takes seconds. So implementations create algorithms in `prepare`. If an
algorithm gets a Python function, cuda.compute needs another package to compile the function. pip installs the other
package only with an extra: cuda-cccl[cu12] or cuda-cccl[cu13].
"""

import re

from accelbench.backends import Unavailable, cuda, cupy, install_command
from accelbench.discovery import installed_version

BACKENDS = {"cuda_compute": None}
PACKAGES = {"cuda_compute": ("cuda-cccl", next(filter(installed_version, cupy.WHEELS), "cupy-cuda13x"))}
ENVIRONMENT = "cuda13"
Session = cupy.Session  # Algorithms run on the session's stream


def probe(backend):
    """Return every CUDA device."""
    devices = cupy.probe(backend)
    library = cuda.import_library("cuda.compute")
    try:
        library.make_reduce_into  # noqa: B018 without a driver, the library lacks this name
    except AttributeError as error:
        raise Unavailable(f"cuda.compute does not work here: {error}") from None
    if not hasattr(cuda.import_library("cupy").cuda.Stream, "__cuda_stream__"):
        raise Unavailable("cuda.compute needs the streams of CuPy 14 or later", install_command("-U cupy-cuda13x"))
    if compiler := _missing_compiler():
        extra = "cu12" if PACKAGES[backend][1] == "cupy-cuda12x" else "cu13"
        raise Unavailable(
            f"{compiler}, which cuda.compute needs to compile functions, is not installed",
            install_command(f"'cuda-cccl[{extra}]'"),
        )
    return devices


def _missing_compiler():
    """Return the first missing package that cuda-cccl needs to compile Python functions, or None.

    The needed package is numba-cuda-mlir. Before version 1.2, cuda-cccl needed numba and numba-cuda.
    """
    from importlib import metadata  # imported lazily to speed up worker start-up

    required = {re.match(r"[\w.-]+", requirement)[0] for requirement in metadata.requires("cuda-cccl") or ()}
    return next((name for name in sorted(required) if name.startswith("numba") and not installed_version(name)), None)
