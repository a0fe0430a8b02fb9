"""The case that an implementation prepares for."""

from types import SimpleNamespace

import numpy as np

from accelbench.kernel import DTYPES


class KernelCase(SimpleNamespace):
    """The argument of `prepare`.

    It has size, dtype, options ({name: number}) and each parameter by its name (`block_size`, `threads`). It also has
    `variant`, the name of one of VARIANTS or None, `device`, the device's name, an OpenCL `queue`, a CUDA `stream`, and
    `artifact(source)`, the artefact of a source. An implementation that is TUNED_BY another has `tuned` and
    `prepared(name, **parameters)` as well.
    """

    block_size = None  # value on the host's cores, for libraries that have blocks on GPUs
    queue = stream = variant = None

    @property
    def ctype(self) -> str:
        """The dtype's name in C, such as `int32_t`; with a queue or a stream, in OpenCL C or CUDA, such as `int`.

        The name of a complex dtype is that of its two parts. Raise NotImplementedError if C has no name for the dtype.
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

        per  number of elements per thread. For blocks of two dimensions, the result is a pair (x, y), and n and per are
             pairs or apply to both dimensions.
        """
        n = self.size if n is None else n
        if not isinstance(self.block_size, tuple):
            return max(1, -(-int(n) // (per * self.block_size)))
        n, per = (value if isinstance(value, tuple) else (value, value) for value in (n, per))
        extents = zip(n, per, self.block_size, strict=True)
        return tuple(max(1, -(-int(elements) // (per_thread * threads))) for elements, per_thread, threads in extents)
