"""Warp: kernels in Python, compiled for a GPU, or for one thread of the host."""

import re

import numpy as np

from accelbench.backends import Unavailable, cuda, host, host_or_gpu

BACKENDS = {"warp": None}
PACKAGES = {"warp": ("warp-lang",)}
ENVIRONMENT = "warp"
EXHAUSTED = re.compile("Failed to allocate"), "out_of_memory", "{}"


def probe(backend):
    """Return the host and every CUDA device. A launch on the host uses one thread."""
    library = _import_warp()
    has_gpu, has_compiler = library.get_cuda_device_count(), library.is_cpu_available()
    reason = Unavailable("this driver is too old for Warp, which finds no device", "install a newer driver")
    return host_or_gpu.devices(
        {"runtime": ".".join(map(str, library.get_cuda_toolkit_version()))},
        lambda gpus: [None if has_gpu else reason] * len(gpus),
        unusable=None if has_compiler else "this Warp was built without its compiler for processors",
    )


def _import_warp():
    """Initialise Warp to print only warnings and errors and to compile no derivatives. Return the module warp."""
    library = cuda.import_library("warp")
    library.config.log_level, library.config.enable_backward = library.LOG_WARNING, False
    # Precompiled headers take 77 MB per kernel. Making them takes longer than compiling the kernel.
    library.config.use_precompiled_headers = False
    try:
        library.init()
    except Exception as error:
        raise Unavailable(f"Warp does not start: {type(error).__name__}: {error}") from None
    return library


class WarpOnGpu(cuda.Session):
    """A CUDA device with a new Warp stream as the current stream."""

    def open(self):
        self._library = library = _import_warp()
        library.set_device("cuda:0")  # also makes the device's context current
        stream = library.Stream("cuda:0")
        library.set_stream(stream)
        return stream, stream.cuda_stream

    def __init__(self, backend, device):
        super().__init__(backend, device)
        self.REASONS = (*self.REASONS, EXHAUSTED)

    def wrap(self, pointer, shape, dtype, *, memory):
        array = self._described(pointer, shape, dtype, device="cuda:0")
        array._ref = memory  # keeps the memory alive, as in Warp's own arrays
        return array

    def copy_in(self, array, host):
        self._copy(array, np.ascontiguousarray(host, self._library.dtype_to_numpy(array.dtype)), into_device=True)

    def copy_out(self, value, into=None):
        if not isinstance(value, self._library.array):
            return np.asarray(value)
        into = np.empty(value.shape, self._library.dtype_to_numpy(value.dtype)) if into is None else into
        self._copy(value, into, into_device=False)
        return into

    def _copy(self, array, host, *, into_device):
        beside = self._described(host.ctypes.data, host.shape, host.dtype, device="cpu")
        to, given = (array, beside) if into_device else (beside, array)
        self._library.copy(to, given, stream=self.stream)
        self._library.synchronize_stream(self.stream)

    def _described(self, pointer, shape, dtype, *, device):
        dtype = self._library.dtype_from_numpy(dtype)
        return self._library.array(ptr=pointer, shape=shape, dtype=dtype, device=device)

    def function(self, kernel):
        """Return the CUfunction of a Kernel, from the executable that the Kernel's module loaded last, or None."""
        if not isinstance(kernel, self._library.Kernel):
            return None
        loaded = next(reversed(kernel.module.execs.values()), None)
        return loaded and loaded.get_kernel_hooks(kernel).forward

    def settings(self):
        return {"warp_enable_backward": False}


class Session(host_or_gpu.Session):
    """The host, with Warp's arrays."""

    ON_HOST = False
    ON_GPU = WarpOnGpu

    def __init__(self, backend, device):
        super().__init__(backend, device)
        self._library = _import_warp()
        self._library.set_device("cpu")

    def settings(self):
        return {**super().settings(), "warp_enable_backward": False}

    def empty(self, shape, dtype):
        plain, zones = host.guarded_empty(shape, dtype, next(self._places))
        array = self._library.array(plain, dtype=self._library.dtype_from_numpy(plain.dtype), copy=False)
        self._guards[id(array)] = (array, zones)
        return array

    def poison(self, array):
        super().poison(array.numpy())

    def copy_in(self, array, host):
        array.numpy()[...] = host

    def copy_out(self, value, into=None):
        return super().copy_out(value.numpy() if isinstance(value, self._library.array) else value, into)
