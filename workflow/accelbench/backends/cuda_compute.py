"""cuda.compute: the device-wide algorithms of CUB from Python, of the package cuda-cccl, with CuPy's arrays.

What they are made of is compiled as they are made: for seconds, which belong to `prepare`.
"""

from accelbench.backends import Unavailable, cuda, cupy
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
        raise Unavailable("CuPy is older than 14, whose streams cuda.compute takes: pip install -U cupy-cuda13x")
    return found


class Session(cupy.Session):
    """CuPy's, whose stream every algorithm is given."""
