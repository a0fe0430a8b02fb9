"""Stand-ins for an NVIDIA GPU: the parts of cuda.core that implementations use, made of NumPy and g++.

The stand-ins refuse some arguments that cuda.core refuses. As in cuda.core, an integer given to a kernel is an address.
"""

import ctypes
from types import ModuleType, SimpleNamespace

import gpu_on_host
import numpy as np
from cuda_on_host import launch as launch_on_host

from accelbench.backends import POISON, host


class Stream:
    """Stream whose operations are complete at once."""

    def sync(self):
        pass

    def record(self, event):
        assert isinstance(event, Event)


class Event:
    """Event that is always complete, since all operations are complete at once."""

    def sync(self):
        pass


class Buffer:
    """Bytes without a shape or a dtype."""

    def __init__(self, memory):
        self.memory, self.size = memory, memory.size

    @classmethod
    def from_handle(cls, ptr, size):
        return cls(np.ctypeslib.as_array((ctypes.c_uint8 * size).from_address(ptr)))

    def __dlpack__(self, **how):
        return self.memory.__dlpack__(**how)

    def __dlpack_device__(self):
        return self.memory.__dlpack_device__()

    def fill(self, value, *, stream):
        assert isinstance(stream, Stream)
        assert self.size > 0
        self.memory[:] = value

    def copy_to(self, dst, *, stream):
        assert isinstance(stream, Stream)
        assert dst.size == self.size > 0
        dst.memory[:] = self.memory

    def copy_from(self, src, *, stream):
        src.copy_to(self, stream=stream)


class LegacyPinnedMemoryResource:
    """Page-locked memory of the host."""

    def allocate(self, size):
        return Buffer(np.full(size, POISON, np.uint8))


class StridedMemoryView:
    """A Buffer with a shape and a dtype."""

    @classmethod
    def from_buffer(cls, buffer, shape, strides=None, *, dtype):
        assert isinstance(dtype, np.dtype)
        assert strides is None
        view = cls()
        view.exporting_obj, view.shape, view.dtype = buffer, tuple(shape), dtype
        view.array = buffer.memory[: int(np.prod(shape)) * dtype.itemsize].view(dtype).reshape(shape)
        view.ptr = view.array.ctypes.data
        return view


class Device:
    """A GPU with one multiprocessor."""

    properties = SimpleNamespace(multiprocessor_count=1)

    def allocate(self, size, *, stream):
        assert isinstance(stream, Stream)
        return Buffer(np.full(size, POISON, np.uint8))

    def create_event(self):
        return Event()


class LaunchConfig:
    """Grid and block, each a number or a tuple of numbers, all at least one.

    A launch uses only the first two numbers of a tuple.
    """

    def __init__(self, grid=None, cluster=None, block=None, shmem_size=None):
        self.grid, self.block = (extent if isinstance(extent, tuple) else (extent,) for extent in (grid, block))
        assert all(isinstance(n, int) and n > 0 for n in self.grid + self.block)
        assert shmem_size is None or isinstance(shmem_size, int)


class ObjectCode:
    """A library of kernels."""

    @classmethod
    def from_fatbin(cls, library):
        code = cls()
        code.get_kernel = lambda name: (library, name)
        return code


def launch(stream, config, kernel, *arguments):
    assert isinstance(stream, Stream)
    assert isinstance(config, LaunchConfig)
    assert all(isinstance(argument, Buffer | np.generic) or type(argument) is int for argument in arguments)
    given = [argument.memory if isinstance(argument, Buffer) else argument for argument in arguments]
    launch_on_host(*kernel, config.grid, config.block, given)


class Session(gpu_on_host.Session):
    """Session of cuda.core whose memory is the host's."""

    Stream = Stream

    def empty(self, shape, dtype):
        plain, zones = host.guarded_empty(shape, dtype)
        view = StridedMemoryView.from_buffer(Buffer(plain.reshape(-1).view(np.uint8)), shape, dtype=np.dtype(dtype))
        self._guards[id(view)] = (view, zones)
        return view

    def poison(self, array):
        super().poison(array.array)

    def copy_in(self, array, host):
        array.array[...] = host

    def copy_out(self, value, into=None):
        return super().copy_out(value.array if isinstance(value, StridedMemoryView) else value, into)


OFFERED = (Buffer, Device, LaunchConfig, LegacyPinnedMemoryResource, ObjectCode, launch)


def libraries():
    """Return a context in which `from cuda.core import ...` finds the stand-ins."""
    core, utils = ModuleType("cuda.core"), ModuleType("cuda.core.utils")
    vars(core).update({offered.__name__: offered for offered in OFFERED})
    utils.StridedMemoryView = StridedMemoryView
    return gpu_on_host.importable({"cuda.core": core, "cuda.core.utils": utils})
