"""The case as an implementation sees it."""

from types import SimpleNamespace

import numpy as np

from accelbench.kernel import DTYPES


class KernelCase(SimpleNamespace):
    """What `prepare` is given: size, dtype, options ({name: number}) and each parameter by its name (`block_size`,
    `threads`); `variant`, the name of one of VARIANTS, or None; `device`, its name; an OpenCL `queue`, a CUDA `stream`;
    `artifact(source)`, what was built of a source.
    An implementation that is TUNED_BY another has `tuned` and `prepared(name, **parameters)` as well."""

    block_size = None  # on the host's cores, for libraries that have blocks on GPUs
    queue = stream = variant = None

    @property
    def ctype(self) -> str:
        """The dtype's name in C, `int32_t`, or, where there is a queue or a stream, in CUDA and OpenCL C, `int`.

        The name of a complex dtype is that of its two parts. NotImplementedError where C has no name for the dtype.
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
        """How many blocks of `block_size` threads cover n elements, or as many as the size is, with `per` elements a
        thread; at least one. A pair (x, y) where blocks have two dimensions; n and per are pairs then, or the same in
        both."""
        n = self.size if n is None else n
        if not isinstance(self.block_size, tuple):
            return max(1, -(-int(n) // (per * self.block_size)))
        n, per = (value if isinstance(value, tuple) else (value, value) for value in (n, per))
        extents = zip(n, per, self.block_size, strict=True)
        return tuple(max(1, -(-int(elements) // (each * threads))) for elements, each, threads in extents)
