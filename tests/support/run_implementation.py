"""Runs implementations as the harness does, on the host: those of CUDA C++ under stand-ins for CuPy and PyCUDA.

The stand-ins compile a .cu source, or a SourceModule's string, with g++ and launch it by cuda_on_host: the grid, block
and arguments an implementation gives are those its kernel then runs with.
"""

import dataclasses
import sys
import tempfile
from functools import cache
from pathlib import Path
from types import ModuleType

import numpy as np
import opencl_here
from cuda_on_host import compile_source, launch

from accelbench import backends, discovery, toolchains
from accelbench.config import Build
from accelbench.worker.case import KernelCase

# Shared memory of fixed size: one array for all threads of a block, and blocks run one after the other.
DECLARATIONS = "#undef __shared__\n#define __shared__ static\n"


def build_flags(toolchain):
    """A Build: gcc takes five times as long to optimise what Cython has written as to compile it."""
    return Build(cflags=("-O1",)) if toolchain == "cython" else Build()


class Runner:
    """run(name, dtype, inputs, block_size) -> the outputs of an implementation of `folder`, built under `home`."""

    def __init__(self, folder, home):
        self.folder, self.home = folder, home
        self.manifest, self.session, self.library = map(cache, (self._manifest, self._session, self._library))
        self.module = cache(self._module)

    def __call__(self, name, dtype, inputs, block_size=None, size=None):
        """inputs: {name: array or scalar}; the problem's size is the length of the first array where it is not given.

        Outputs of shape () are not given to `run`, but returned by it, alone or with all others. Options are the
        kernel's own, parameters but block_size the first of those listed.
        """
        implementation = self.folder.implementations[name]
        size = next(len(value) for value in inputs.values() if np.ndim(value)) if size is None else size
        declared = self.folder.outputs(size, dtype, self.folder.spec.options)
        outputs = [np.full(o.shape, np.nan, o.dtype) for o in declared if o.shape != ()]
        if implementation.backend in ("cupy", "pycuda"):
            given = {key: np.asarray(v).view(OnDevice) if np.ndim(v) else v for key, v in inputs.items()}
            filled = [output.view(OnDevice) for output in outputs]
            with_stand_ins(lambda: self._call(implementation, dtype, size, given, filled, block_size, None))
            return outputs
        session = self.session(implementation.backend)
        given = {key: self._placed(session, value) if np.ndim(value) else value for key, value in inputs.items()}
        filled = [self._placed(session, output) for output in outputs]
        result = self._call(implementation, dtype, size, given, filled, block_size, session.queue)
        session.synchronise()
        returned = () if result is None else result if isinstance(result, tuple) else (result,)
        if len(returned) < len(declared):
            arrays, scalars = iter(filled), iter(returned)
            returned = [next(scalars if o.shape == () else arrays) for o in declared]
        return [session.copy_out(value) for value in returned]

    def _call(self, implementation, dtype, size, given, outputs, block_size, queue):
        module = self.module(implementation.name)
        listed = {name: values[0] for name, values in implementation.parameters.items() if values}
        case = KernelCase(size=size, dtype=dtype, options=self.folder.spec.options, queue=queue, stream=None)
        vars(case).update({"block_size": block_size, "threads": 1} | listed)
        case.artifact = lambda source: self._artifact(implementation, source)
        run = module.prepare(case) if hasattr(module, "prepare") else module.run
        given = module.convert(**given) if hasattr(module, "convert") else given
        return run(*(given.values() if isinstance(given, dict) else given), *outputs)

    def _module(self, name):
        implementation = self.folder.implementations[name]
        if implementation.toolchain == "cython":
            return self._artifact(implementation, implementation.path.name)
        return discovery.import_file(implementation.path)

    def _artifact(self, implementation, source):
        if implementation.toolchain == "cuda":
            return self.library(source)
        entry = next((e for e in self.manifest(implementation.name) if e["source"] == source), None)
        if entry is None:  # a text that nothing builds
            return str(self.folder.path / source)
        assert entry["outcome"] == "ok", entry["log"]
        home = self.home / implementation.name
        return self.session(implementation.backend).load(entry, home, implementation.toolchain)

    def _manifest(self, name):
        implementation = self.folder.implementations[name]
        toolchain = implementation.toolchain
        alone = dataclasses.replace(self.folder, implementations={name: implementation})
        devices = opencl_here.devices()[:1] if toolchain == "opencl" else []
        return toolchains.build(alone, toolchain, build_flags(toolchain), devices, self.home / name)["artifacts"]

    def _session(self, backend):
        module = backends.modules()[backend]
        device = opencl_here.devices()[0] if backend == "pyopencl" else module.probe(backend)[0].as_dict()
        return module.Session(backend, device)

    def _library(self, source):
        return compiled(f'{DECLARATIONS}#include "{self.folder.path / source}"\n', self.home, Path(source).stem)

    @staticmethod
    def _placed(session, value):
        array = session.empty(value.shape, value.dtype)
        session.copy_in(array, value)
        return array


def compiled(text, home, stem, flags=()):
    """The library of CUDA C++ text; cuda_on_host alone would give each thread shared memory of its own."""
    unit = Path(home, f"{stem}_with_shared_memory.cu")
    unit.write_text(text)
    return compile_source(unit, home, flags)


def with_stand_ins(call):
    """call() while `import cupy` and `import pycuda` find stand-ins."""
    names = ("cupy", "pycuda", "pycuda.driver", "pycuda.compiler")
    before = {name: sys.modules.get(name) for name in names}
    stand_ins = {name: ModuleType(name) for name in names}
    stand_ins["cupy"].RawModule = CupyModule
    stand_ins["pycuda"].driver = stand_ins["pycuda.driver"]
    stand_ins["pycuda.driver"].module_from_file = PycudaModule
    stand_ins["pycuda.compiler"].SourceModule = SourceModule
    sys.modules.update(stand_ins)
    try:
        return call()
    finally:
        for name, module in before.items():
            if module is None:
                del sys.modules[name]
            else:
                sys.modules[name] = module


class CupyModule:
    def __init__(self, path):
        self.library = path

    def get_function(self, name):
        return lambda grid, block, arguments, shared_mem=0: launch(self.library, name, grid, block, arguments)


class OnDevice(np.ndarray):
    """An array that is its own address."""

    gpudata = property(lambda self: self)


class PycudaModule:
    def __init__(self, library):
        self.library = library

    def get_function(self, name):
        return PycudaFunction(self.library, name)


class PycudaFunction:
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
        assert all(isinstance(argument, np.ndarray | np.generic) for argument in arguments)  # PyCUDA takes no others
        launch(self.library, self.name, grid, block[:2], arguments)


class SourceModule(PycudaModule):
    def __init__(self, source, options):
        super().__init__(_string_compiled(source, tuple(options)))


@cache
def _string_compiled(source, options):
    with tempfile.TemporaryDirectory() as home:
        return compiled(f'{DECLARATIONS}extern "C" {{\n{source}\n}}\n', home, "string", options)
