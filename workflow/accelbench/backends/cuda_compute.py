"""cuda.compute: the device-wide algorithms of CUB from Python, of the package cuda-cccl, with CuPy's arrays.

What they are made of is compiled as they are made: for seconds, which belong to `prepare`. Functions of Python's that
they are given are compiled by another package, which comes with an extra of cuda-cccl's alone.
"""

import re

from accelbench.backends import Unavailable, cuda, cupy, install_command
from accelbench.discovery import installed_version

BACKENDS = {"cuda_compute": None}
PACKAGES = {"cuda_compute": ("cuda-cccl", next(filter(installed_version, cupy.WHEELS), "cupy-cuda13x"))}
ENVIRONMENT = "cuda13"


def probe(backend):
    """Every CUDA device."""
    found = cupy.probe(backend)
    library = cuda.importing("cuda.compute")
    try:
        library.make_reduce_into  # noqa: B018 where it has found no driver of its own, it has no names either
    except AttributeError as error:
        raise Unavailable(f"cuda.compute does not work here: {error}") from None
    if not hasattr(cuda.importing("cupy").cuda.Stream, "__cuda_stream__"):
        raise Unavailable("CuPy is older than 14, whose streams cuda.compute takes", install_command("-U cupy-cuda13x"))
    if missing := _missing():
        extra = "cu12" if PACKAGES[backend][1] == "cupy-cuda12x" else "cu13"
        raise Unavailable(
            f"{missing}, by which cuda.compute compiles functions, is not installed",
            install_command(f"'cuda-cccl[{extra}]'"),
        )
    return found


def _missing():
    """What is not installed of that by which this version of cuda.compute compiles functions; None where all is.

    It is numba-cuda-mlir or, before 1.2, numba and numba-cuda.
    """
    from importlib import metadata  # here: workers import this module and need it not

    asked = {re.match(r"[\w.-]+", requirement)[0] for requirement in metadata.requires("cuda-cccl") or ()}
    return next((name for name in sorted(asked) if name.startswith("numba") and not installed_version(name)), None)


class Session(cupy.Session):
    """CuPy's, whose stream every algorithm is given."""
