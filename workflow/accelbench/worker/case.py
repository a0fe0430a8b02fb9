"""The case for which an implementation prepares `run`."""

from types import SimpleNamespace

import numpy as np

from accelbench.kernel import DTYPES


class KernelCase(SimpleNamespace):
    """The argument of `prepare`: a case, with these attributes.

    size, dtype, options  size of the problem, name of its dtype, and {name of an option: number}
    block_size, ...       each parameter by its name
    threads, device       number of host threads, and name of the device
    variant               name of one of VARIANTS, or None
    queue, stream         queue of an OpenCL backend, stream of a CUDA backend; None for other backends
    artifact(source)      artifact that was built from the file `source`
    tuned                 best parameters of the implementation that TUNED_BY names, or None
    prepared(name, **parameters)  `run` of another implementation, whose file is in SOURCES
    """

    block_size = None  # default, for the host's cores, which have no blocks
    queue = stream = variant = None

    @property
    def ctype(self) -> str:
        """Name of the dtype in C, such as `int32_t`. For OpenCL and CUDA, the name in their language, such as `int`.

        For a complex dtype, the name is that of the real part's type. Raise NotImplementedError if there is no such
        name.
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
        """Return the number of blocks of `block_size` threads that cover `n` elements, at least one.

        per  number of elements per thread
        n    number of elements, by default `size`

        For blocks of two dimensions, return a pair (x, y). `n` and `per` may be pairs with a number per dimension.
        """
        n = self.size if n is None else n
        if not isinstance(self.block_size, tuple):
            return max(1, -(-int(n) // (per * self.block_size)))
        n, per = (value if isinstance(value, tuple) else (value, value) for value in (n, per))
        extents = zip(n, per, self.block_size, strict=True)
        return tuple(max(1, -(-int(elements) // (per_thread * threads))) for elements, per_thread, threads in extents)
