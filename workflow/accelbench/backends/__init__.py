"""Backends: the libraries that execute implementations. One module each; finding it here is its only registration.

The contract, on one screen. A backend module holds

    BACKENDS = {"pyopencl": "opencl"}     the backends it serves, each with the toolchain its SOURCES imply (or None)
    PACKAGES = {"pyopencl": ("pyopencl",)} the distributions each needs: for versions, and for reasons when missing
    probe(backend) -> [Device, ...]       or raises Unavailable(reason); run in a process of its own
    class Session                         one open device in one worker process:

        Session(backend, device)          opens the context; its attributes `queue`, `stream` become the case's
        load(entry, folder, toolchain)    what `case.artifact(source)` returns for an entry of a manifest in `folder`
        empty(shape, dtype)               an array where the work is done, contents undefined, within guard zones
        release(array)                    forgets an `empty` array
        copy_in(array, host)              host -> array, complete on return
        copy_out(array)                   array, device scalar or whatever `run` returned -> NumPy array or scalar
        intact(array)                     whether nobody wrote into the guard zones around an `empty` array
        synchronise()                     waits until all work is done
        timers(call)                      {kind: function(loops) -> seconds per call}; call.statement is timed in
                                          call.namespace; "compute" always, "call", "launch", ... where they differ
        flush_cache()                     empties the device's caches
        close()
        ON_HOST                           whether its arrays are NumPy arrays in host memory
        OUT_OF_MEMORY                     exception types that mean it

Backends know no measuring: which timer runs how often is not decided here. Importing a backend module imports none of
its libraries.
"""

import importlib
import pkgutil
from dataclasses import asdict, dataclass, field
from functools import cache


class Unavailable(Exception):
    """The backend cannot run here; the message is the reason a person reads."""


@dataclass(frozen=True)
class Device:
    """One device a backend can run on.

    name                what results call it: "cpu", "NVIDIA H200", "PoCL AMD EPYC"
    kind                "cpu" where the host's cores do the work (thread counts apply), "gpu" otherwise
    index               what the backend needs to find it again: {"platform": 0, "device": 0}
    limits              {"max_block_size": int, "max_block_shape": [x, y, z], "memory_bytes": int, ...}
    versions            {"driver": ..., "platform": ...}, for the record and the journal's key
    unsupported_dtypes  {dtype: reason}
    """

    name: str
    kind: str = "cpu"
    index: dict = field(default_factory=dict)
    limits: dict = field(default_factory=dict)
    versions: dict = field(default_factory=dict)
    unsupported_dtypes: dict = field(default_factory=dict)

    def as_dict(self):
        return asdict(self)


@cache
def modules():
    """{backend name: backend module}, the longest names first so that `numba_cuda_jit` is not taken for numba's."""
    found = {}
    for entry in pkgutil.iter_modules(__path__):
        module = importlib.import_module(f"{__name__}.{entry.name}")
        found.update(dict.fromkeys(getattr(module, "BACKENDS", ()), module))
    return dict(sorted(found.items(), key=lambda item: -len(item[0])))


def of(implementation):
    """The backend of an implementation's name, or None: `cffi_api_native` -> "cffi"."""
    return next((name for name in modules() if implementation == name or implementation.startswith(name + "_")), None)


def toolchain(backend):
    """The toolchain that builds SOURCES of this backend's implementations, or None."""
    return modules()[backend].BACKENDS[backend]


def packages(backend):
    """Names of the distributions a backend needs."""
    return modules()[backend].PACKAGES[backend]
