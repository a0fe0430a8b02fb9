"""Run implementations in this process by the worker's code: its KernelCase, its arrays and its Call.

Stand-ins that need no GPU replace the sessions of the backends in STAND_INS.
"""

import dataclasses
import importlib
import itertools
import os
from contextlib import contextmanager, nullcontext
from functools import cache
from types import SimpleNamespace

import cuda_compute_on_host
import cuda_core_on_host
import gpu_on_host
import numba_simulator
import numpy as np
import opencl_here
import pytest
import triton_interpreter

from accelbench import backends, toolchains
from accelbench.config import Build
from accelbench.discovery import installed_version
from accelbench.model.device import Device
from accelbench.rpc.messages import Inputs
from accelbench.toolchains.compiler import BuildError
from accelbench.verify.truth import sealed
from accelbench.worker.__main__ import Worker
from accelbench.worker.session import Session
from accelbench.worker.untouched import TamperCheck

CUDA = (
    "cupy",
    "pycuda",
    "numba_cuda",
    "numba_cuda_mlir",
    "cuda_core",
    "cuda_compute",
)  # backends that need an NVIDIA GPU
COMPILED = (
    "cffi",
    "cython",
    "f2py",
    "nanobind",
    "numba",
    "pyopencl",
    "pythran",
)  # backends whose compilation of an implementation takes seconds
# stand-ins for libraries that implementations import
LIBRARIES = {
    "cupy": gpu_on_host,
    "pycuda": gpu_on_host,
    "cuda_core": cuda_core_on_host,
    "cuda_compute": cuda_compute_on_host,
}
STAND_INS = LIBRARIES | {"numba_cuda": numba_simulator, "triton": triton_interpreter}


def build_flags(toolchain):
    """Return a Build with -O1 for Cython, as gcc takes five times as long to optimise Cython's output fully."""
    return Build(cflags=("-O1",)) if toolchain == "cython" else Build()


def parameters(folder, names):
    """Return `names` as parameters of a test. Mark implementations that take seconds to compile as slow."""
    slow = {name for name in names if folder.implementations[name].backend in COMPILED}
    return [pytest.param(name, marks=pytest.mark.slow if name in slow else ()) for name in names]


def skip_where_missing(implementation):
    """Skip a test whose implementation lacks Rust, or a package or compiler of its separate environment."""
    apart = implementation.needed_environment is not None
    if apart:
        _skip_without_library(implementation.backend)
    if implementation.toolchain == "rust" or (apart and implementation.toolchain is not None):
        try:
            toolchains.modules()[implementation.toolchain].version(implementation, Build(), None)
        except BuildError as reason:
            pytest.skip(str(reason))


def _skip_without_library(backend):
    missing = [name for name in backends.packages(backend) if installed_version(name) is None]
    if missing:
        pytest.skip(f"not installed: {', '.join(missing)}")


def assert_right(folder, results, *, size, dtype, options, inputs):
    """Assert that results are within the kernel's tolerance of the reference for these inputs."""
    expected = folder.expected(size, dtype, options=options, inputs=inputs)
    bounds = folder.tolerance(size, dtype, options=options, inputs=inputs, expected=expected)
    for result, right, bound in zip(results, expected, bounds, strict=True):
        assert (np.abs(result - np.asarray(right, np.result_type(right, np.float64))) <= bound).all(), size


class Runner:
    """Builder and caller of the implementations of `folder`: run(name, dtype, inputs, block_size) -> outputs.

    The Runner builds implementations under `home`. The thread pools of libraries have `threads` threads.
    """

    def __init__(self, folder, home, threads=1):
        self.folder, self.home, self.threads = folder, home, threads
        self.session, self.worker = cache(self._session), cache(self._worker)
        self._numbers = itertools.count()

    def __call__(self, name, dtype, inputs, block_size=None, size=None, **parameters):
        """Return the outputs of one call of the function that `prepared` yields."""
        with self.prepared(name, dtype, inputs, block_size, size, **parameters) as call:
            return call()

    @contextmanager
    def prepared(self, name, dtype, inputs, block_size=None, size=None, *, options=None, **parameters):
        """Yield a function that calls an implementation once and returns its outputs in order, as NumPy arrays.

        The function optionally takes other inputs of the same shapes and dtypes.

        inputs      {name: array or scalar}
        size        size of the problem; default: the length of the first array
        options     options of the problem; default: the kernel's default options
        parameters  values that replace the first values that the implementation lists
        """
        implementation = self.folder.implementations[name]
        skip_where_missing(implementation)
        worker = self.worker(name)
        size = next(len(value) for value in inputs.values() if np.ndim(value)) if size is None else size
        options = self.folder.spec.options if options is None else options
        listed = {key: values[0] if values else block_size for key, values in implementation.parameters.items()}
        if implementation.backend not in STAND_INS and self.session(implementation.backend)[0].name == "cpu":
            listed.pop("block_size", None)  # the host has no thread blocks
        case = {"size": size, "dtype": dtype, "options": options, "parameters": listed | parameters, "tuned": None}
        problem = handle = next(self._numbers)

        def call(inputs=None):
            with self._libraries(implementation):
                if inputs is None:
                    answer = worker.first_call(handle)
                else:
                    worker.refill(problem, self._attached(size, dtype, options, inputs))
                    answer = worker.recheck(handle)
            return [np.array(result) for result in answer.results.values()]

        with self._libraries(implementation):
            worker.load(problem, self._attached(size, dtype, options, inputs))
        try:
            with self._libraries(implementation):
                worker.prepare(problem, handle, **case)
            yield call
        finally:
            worker.handles.pop(handle, None)
            worker.problems.pop(problem).release()

    @staticmethod
    def _libraries(implementation):
        stand_in = LIBRARIES.get(implementation.backend)
        return stand_in.libraries() if stand_in else nullcontext()

    def _attached(self, size, dtype, options, inputs):
        file, layout = sealed(self.folder.name, {key: np.asarray(value) for key, value in inputs.items()})
        return Inputs(
            file=file,
            layout=layout,
            outputs=[(o.name, o.shape, o.dtype, o.inout) for o in self.folder.outputs(size, dtype, options)],
            location=self.folder.spec.location,
            again=False,
        )

    def _worker(self, name):
        implementation, worker = self.folder.implementations[name], Worker()
        artifacts = self._artifacts(implementation)
        device, worker.session = self.session(implementation.backend)
        worker.recipe = SimpleNamespace(
            file=str(implementation.path),
            backend=implementation.backend,
            module=backends.modules()[implementation.backend].__name__,
            device=device,
            threads=self.threads,
            variant=implementation.variant,
            toolchain=implementation.toolchain,
            build_folder=self.home / name,
            once_folder="",
            artifacts=artifacts,
            unbuilt=sorted(set(implementation.sources) - artifacts.keys()),
            memory_bytes=0,
        )
        with self._libraries(implementation):
            worker.module = worker._import()
        worker._tamper_check = TamperCheck()
        return worker

    def _artifacts(self, implementation):
        """Return {source: the artifact that a session loads}."""
        toolchain = implementation.toolchain
        if toolchain is None:
            return {}
        if toolchain == "cuda":
            return {source: self.folder.path / source for source in implementation.sources if source.endswith(".cu")}
        alone = dataclasses.replace(self.folder, implementations={implementation.name: implementation})
        devices = opencl_here.devices()[:1] if toolchain == "opencl" else []
        home = self.home / implementation.name
        entries = toolchains.build(alone, toolchain, home, config=build_flags(toolchain), devices=devices).artifacts
        assert all(entry.outcome == "ok" for entry in entries), [entry.log for entry in entries]
        return {entry.source: entry for entry in entries}

    def _session(self, backend):
        """Return (device, its open session); skip the test if the library is not installed."""
        module = STAND_INS.get(backend) or backends.modules()[backend]
        if backend not in STAND_INS:
            _skip_without_library(backend)
        device = opencl_here.devices()[0] if backend == "pyopencl" else Device("cpu")
        if device.name == "cpu":
            os.environ.update(Session.variables(module, device, self.threads))  # before the library is imported
        if backend == "torch":  # imported here, as a worker imports an implementation before it opens a session
            importlib.import_module("torch._dynamo")
        return device, Session(module, backend, device)
