"""Stands in for PyCUDA's arrays and its memory, by NumPy: for what asks more of PyCUDA than launches."""

import sys
from types import SimpleNamespace

import numpy as np
from run_implementation import SourceModule


class GPUArray(np.ndarray):
    """Like PyCUDA's, it computes with scalars and with arrays without gaps that have one shape, and nothing else."""

    def __new__(cls, shape, dtype, gpudata):
        return gpudata[: int(np.prod(shape)) * np.dtype(dtype).itemsize].view(dtype).reshape(shape).view(cls)

    def __array_ufunc__(self, ufunc, method, *inputs, **how):
        arrays = [np.asarray(value) for value in inputs if not np.isscalar(value)]
        assert method == "__call__"
        assert not how
        assert all(isinstance(value, GPUArray) for value in inputs if not np.isscalar(value))
        assert all(array.flags.forc for array in arrays)
        assert len({array.shape for array in arrays}) == 1
        with np.errstate(all="ignore"):
            return ufunc(*(value if np.isscalar(value) else np.asarray(value) for value in inputs)).view(GPUArray)


def to_gpu(array):
    return np.array(array).view(GPUArray)


def if_positive(criterion, then, otherwise):
    assert criterion.shape == then.shape == otherwise.shape
    assert then.dtype == otherwise.dtype
    return np.where(np.asarray(criterion) > 0, then, otherwise).view(GPUArray)


def mem_alloc(size):
    assert size > 0
    return np.full(size, 255, np.uint8)


def memcpy_htod(to, given):
    assert 0 < given.nbytes <= to.nbytes
    to[: given.nbytes] = given.view(np.uint8)


def memcpy_dtoh(to, given):
    assert 0 < to.nbytes <= given.nbytes
    to[...] = given[: to.nbytes].view(to.dtype)


def pretend(monkeypatch):
    """`import pycuda` finds the stand-ins until the test ends."""
    arrays = {
        "GPUArray": GPUArray,
        "to_gpu": to_gpu,
        "if_positive": if_positive,
        "empty": lambda shape, dtype: to_gpu(np.full(shape, np.nan, dtype)),
        "zeros": lambda shape, dtype: to_gpu(np.zeros(shape, dtype)),
    }
    parts = {
        "gpuarray": SimpleNamespace(**arrays),
        "cumath": SimpleNamespace(exp=np.exp, log=np.log, fabs=np.fabs),
        "driver": SimpleNamespace(mem_alloc=mem_alloc, memcpy_htod=memcpy_htod, memcpy_dtoh=memcpy_dtoh),
        "compiler": SimpleNamespace(SourceModule=SourceModule),
    }
    monkeypatch.setitem(sys.modules, "pycuda", SimpleNamespace(**parts))
    for name, part in parts.items():
        monkeypatch.setitem(sys.modules, f"pycuda.{name}", part)
