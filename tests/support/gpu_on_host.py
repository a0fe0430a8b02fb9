"""Stand-ins for an NVIDIA GPU: the parts of CuPy and PyCUDA that implementations use, made of NumPy and g++.

cuda_on_host compiles and launches the sources, with the grid, block and arguments that an implementation gives.
"""

import sys
import tempfile
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import numpy as np
from cuda_on_host import compile_source, launch

from accelbench.backends import POISON, host


class Array(np.ndarray):
    """Array in device memory; the attribute `gpudata` is the array itself.

    Like an array of PyCUDA, an Array computes only with scalars and with contiguous arrays of the same shape.
    """

    gpudata = property(lambda self: self)

    def __new__(cls, shape, dtype, gpudata):
        return gpudata[: int(np.prod(shape)) * np.dtype(dtype).itemsize].view(dtype).reshape(shape).view(cls)

    def __array_ufunc__(self, ufunc, method, *inputs, **how):
        arrays = [np.asarray(value) for value in inputs if not np.isscalar(value)]
        assert method == "__call__"
        assert not how
        assert all(isinstance(value, Array) for value in inputs if not np.isscalar(value))
        assert all(array.flags.forc for array in arrays)
        assert len({array.shape for array in arrays}) == 1
        with np.errstate(all="ignore"):
            return ufunc(*(value if np.isscalar(value) else np.asarray(value) for value in inputs)).view(Array)

    def get(self, out, blocking=True):
        out[...] = self


class Stream:
    """Stream whose operations are complete at once."""

    def synchronize(self):
        pass


class Session(host.Session):
    """Session of a CUDA backend whose memory is the host's."""

    ON_HOST = False
    Stream = Stream

    def __init__(self, backend, device):
        super().__init__(backend, device)
        self.stream = self.Stream()

    def load(self, source, folder, toolchain):
        return compiled(source)

    def empty(self, shape, dtype):
        plain, zones = host.guarded_empty(shape, dtype)
        array = plain.view(Array)
        self._guards[id(array)] = (array, zones)
        return array


@cache
def _home():
    return tempfile.TemporaryDirectory()


@cache
def compiled(source):
    """Return the library of a .cu file."""
    return compile_source(source, tempfile.mkdtemp(dir=_home().name))


@cache
def _compiled(text, options=()):
    source = Path(tempfile.mkdtemp(dir=_home().name), "text.cu")
    source.write_text(text)
    return compile_source(source, source.parent, options)


class RawModule:
    """Stand-in for CuPy's RawModule. The argument `path` is a loaded library instead of a path."""

    def __init__(self, path=None, code=None):
        self.library = path if code is None else _compiled(code)

    def get_function(self, name):
        return lambda grid, block, arguments, shared_mem=0: launch(self.library, name, grid, block, arguments)


class RawKernel:
    """CuPy's RawKernel."""

    def __init__(self, code, name, options=()):
        self.library, self.name = _compiled(code, tuple(options)), name

    def __call__(self, grid, block, arguments):
        launch(self.library, self.name, grid, block, arguments)


class Module:
    """PyCUDA's Module."""

    def __init__(self, library):
        self.library = library

    def get_function(self, name):
        return Function(self.library, name)


class SourceModule(Module):
    """Stand-in for PyCUDA's SourceModule, which compiles source text."""

    def __init__(self, source, options=(), no_extern_c=False):
        super().__init__(_compiled(source if no_extern_c else f'extern "C" {{\n{source}\n}}\n', tuple(options)))


class Function:
    """PyCUDA's Function."""

    def __init__(self, library, name):
        self.library, self.name = library, name

    def prepare(self, types):
        self.types = types
        return self

    def prepared_async_call(self, grid, block, stream, *arguments, shared_size=0):
        assert len(arguments) == len(self.types)
        typed = [a if t == "P" else np.dtype(t).type(a) for t, a in zip(self.types, arguments, strict=True)]
        launch(self.library, self.name, grid, block[:2], typed)

    def __call__(self, *arguments, grid, block, stream=None):
        # PyCUDA rejects Python's numbers.
        assert all(isinstance(argument, np.ndarray | np.generic) for argument in arguments)
        launch(self.library, self.name, grid, block[:2], arguments)


def to_gpu(array):
    return np.array(array).view(Array)


def empty(shape, dtype):
    array = np.empty(shape, dtype)
    array.reshape(-1).view(np.uint8).fill(POISON)
    return array.view(Array)


def zeros(shape, dtype):
    return np.zeros(shape, dtype).view(Array)


def if_positive(criterion, then, otherwise):
    assert criterion.shape == then.shape == otherwise.shape
    assert then.dtype == otherwise.dtype
    return np.where(np.asarray(criterion) > 0, then, otherwise).view(Array)


def total(array, stream=None):
    return np.sum(np.asarray(array))


def mem_alloc(size):
    assert size > 0
    return np.full(size, POISON, np.uint8)


def memcpy_htod(to, given):
    assert 0 < given.nbytes <= to.nbytes
    to[: given.nbytes] = given.view(np.uint8)


def memcpy_dtoh(to, given, stream=None):
    assert 0 < to.nbytes <= given.nbytes
    to.view(np.uint8)[...] = given.view(np.uint8)[: to.nbytes]


class Event:
    """Event that is always complete, since all operations are complete at once."""

    def __init__(self, flags=None, disable_timing=True):
        pass

    def record(self, stream=None):
        pass

    def synchronize(self):
        pass


class Device:
    """A GPU with one multiprocessor."""

    multiprocessor_count = 1
    attributes = {"MultiProcessorCount": 1}  # noqa: RUF012 like CuPy's attribute


def libraries():
    """Return a context in which `import cupy` and `import pycuda` find the stand-ins."""
    return importable(_modules())


@contextmanager
def importable(stand_ins):
    """Return a context in which imports find the modules of `stand_ins`, {name: module}."""
    before = {name: sys.modules.get(name) for name in stand_ins}
    sys.modules.update(stand_ins)
    try:
        yield
    finally:
        for name, module in before.items():
            if module is None:
                del sys.modules[name]
            else:
                sys.modules[name] = module


def _modules():
    driver = SimpleNamespace(
        module_from_file=Module,
        mem_alloc=mem_alloc,
        memcpy_htod=memcpy_htod,
        memcpy_dtoh=memcpy_dtoh,
        memcpy_dtoh_async=memcpy_dtoh,
        pagelocked_empty=np.empty,
        Context=SimpleNamespace(get_device=Device),
        Event=Event,
        event_flags=SimpleNamespace(DISABLE_TIMING=2),
    )
    gpuarray = {
        "GPUArray": Array,
        "to_gpu": to_gpu,
        "if_positive": if_positive,
        "empty": empty,
        "zeros": zeros,
        "sum": total,
    }
    pycuda = {
        "driver": driver,
        "gpuarray": SimpleNamespace(**gpuarray),
        "cumath": SimpleNamespace(exp=np.exp, log=np.log, fabs=np.fabs),
        "compiler": SimpleNamespace(SourceModule=SourceModule),
    }
    cuda = SimpleNamespace(Device=Device, Event=Event)
    libraries = {
        "cupy": SimpleNamespace(
            RawModule=RawModule,
            RawKernel=RawKernel,
            empty=empty,
            zeros=zeros,
            asarray=to_gpu,
            int64=np.int64,
            cuda=cuda,
        ),
        "cupyx": SimpleNamespace(empty_pinned=np.empty),
        "pycuda": SimpleNamespace(**pycuda),
    }
    return libraries | {f"pycuda.{name}": module for name, module in pycuda.items()}
