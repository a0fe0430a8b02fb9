"""The case for which an implementation prepares `run`."""

from types import SimpleNamespace

import numpy as np

from accelbench.kernel import DTYPES


class KernelCase(SimpleNamespace):
    """The argument of `prepare`: a case, with these attributes.

    size, dtype, options  size, name of the dtype, and {name: number}
    block_size, ...       each parameter by its name
    threads, device       number of host threads, and name of the device
    variant               name of one of VARIANTS, or None
    queue, stream         OpenCL queue, or CUDA stream; None for other backends
    artifact(source)      artefact of a source
    tuned                 best parameters of the implementation in TUNED_BY, if any
    prepared(name, **parameters)  `run` of another implementation in SOURCES
    """

    block_size = None  # value on the host's cores, which have no blocks
    queue = stream = variant = None

    @property
    def ctype(self) -> str:
        """The dtype's name in C, such as `int32_t`; with a queue or a stream, in OpenCL C or CUDA, such as `int`.

        A complex dtype has the name of its real part's type. Raise NotImplementedError if C has no name for the dtype.
        """
        name = DTYPES[self.dtype][self.queue is not None or self.stream is not None]
        if name is None:
            raise NotImplementedError(f"{self.dtype} has no C type that CFFI, ctypes and Cython know")
        return name

    @property
    def itemsize(self) -> int:
        """Bytes of an element."""
        return np.dtype(self.dtype).itemsize

    def blocks(self, per=1, n=None):
        """Return the number of blocks of `block_size` threads that cover n elements (None: `size`), at least one.

        per  number of elements per thread

        For blocks of two dimensions, return a pair (x, y). A pair of `n` or `per` has a number for each dimension.
        """
        n = self.size if n is None else n
        if not isinstance(self.block_size, tuple):
            return max(1, -(-int(n) // (per * self.block_size)))
        n, per = (value if isinstance(value, tuple) else (value, value) for value in (n, per))
        extents = zip(n, per, self.block_size, strict=True)
        return tuple(max(1, -(-int(elements) // (per_thread * threads))) for elements, per_thread, threads in extents)
