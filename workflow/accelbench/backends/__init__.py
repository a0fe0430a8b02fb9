"""Backends: the libraries that execute implementations. Every module in this folder registers its backends.

The contract. A backend's module must define

    BACKENDS = {"pyopencl": "opencl"}     the backends, each with the toolchain that builds its SOURCES, or None
    PACKAGES = {"pyopencl": ("pyopencl",)} distributions that a backend needs: their versions are recorded, and missing
                                          ones are reported
    ENVIRONMENT = "jax"                   optional: name of the lock in envs/ that installs the library, and of the
                                          environment in a configuration, if accelbench's own Python lacks the
                                          library. {backend: name} if the backends need different locks
    FILES_OF = "numba_cuda"               optional: a backend whose implementations this backend also runs
    once(device, folder)                  optional: set-up that the library would otherwise do at its first use. Each
                                          worker calls it after the timed import. `folder` is shared by all workers of
                                          a machine and environment
    probe(backend) -> [Device, ...]       raises Unavailable(problem, remedy); runs in a separate process.
                                          device_limits of a Device are model.device.DeviceLimits
    class Session(OpenDevice)             one open device in one worker process:

        variables(device, threads)        static: environment variables to set before the library is imported, such as
                                          the size of its thread pool. `threads` is None if the host does not compute
        Session(backend, device)          opens the device; `case` has the session's attributes `queue` and `stream`
        settings()                        settings of the library that can change a result; they are recorded
        load(artifact, folder, toolchain) the value of `case.artifact(source)` for an Artifact of a manifest in `folder`
        empty(shape, dtype)               an uninitialised array on the device, within guard zones
        poison(array)                     fills an `empty` array with bytes POISON, which no correct result contains
        release(array)                    drops the session's references to an `empty` array
        argument(value)                   an `empty` array or a number as the type that `run` needs, if the library
                                          has a special type
        copy_in(array, host)              copies host -> array; complete on return
        update(array, host, places)       copies only the elements at `places`, indices of the flattened array, of the
                                          C-contiguous array `host`; the default copies everything
        copy_out(value, into=None)        copies an array, device scalar or result of `run` to a NumPy array or scalar;
                                          complete on return. If `into` is given, an array is copied into it
        pinned(shape, dtype)              a NumPy array in page-locked memory, if PINNED
        intact(array)                     whether the guard zones around an `empty` array are unchanged
        synchronise()                     waits until all work is done
        wait(result)                      waits until a result of `run` is computed, if calls of the library return
                                          earlier. Every call that is timed or checked includes `wait`
        spent(result)                     whether a later call has reused the memory of a result
        timers(call)                      {kind: function(loops) -> seconds per call}. The functions time
                                          call.statement in call.namespace. "compute", the device's time without the
                                          launch, is required. If it cannot be measured, call.mark is one of MARKS.
                                          "throughput", "call" and "launch" are needed only if they differ from
                                          "compute". For "throughput", the host launches calls as fast as it can.
                                          With lead=True, "compute" and "throughput" make an untimed call first
        flush_cache()                     empties the device's caches before the next launch
        launch_facts(call)                LaunchFacts of the kernel that `run` launches (see `launched`), or None
        gpu()                             PCI address of the GPU ("0000:1b:00.0"), for NVML; None if the device is no
                                          GPU, or a part of one (MIG)
        explain(error)                    (outcome, reason) or (outcome, reason, remedy) of an exception whose type does
                                          not determine the outcome; None if unknown. The default is the first match
                                          in REASONS
        lost()                            why this process can no longer use the device, or None
        ON_HOST                           whether arrays are NumPy arrays in host memory
        PINNED                            whether transfers from page-locked memory are timed, too
        ONE_STREAM                        whether all work on a GPU is in one CUDA stream
        RESULTS                           types that `run` may return besides numbers and the type of `empty` arrays
        OUT_OF_MEMORY                     exception types of exhausted memory
        REASONS                           ((pattern of the message, outcome, reason), ...) of other exceptions,
                                          optionally with a remedy; "{}" in a reason stands for the message

Backends provide timers. The coordinator decides which timers run, and how often. A backend's module imports its
libraries only inside functions.
"""

import dis
import inspect
import os
from dataclasses import replace
from functools import cache

from accelbench import discovery
from accelbench.errors import Hindrance
from accelbench.model.device import Device

INSTALL = "ACCELBENCH_INSTALL"  # Environment variable with the command that installs packages; {} stands for the names
POISON = 0xFF  # Value of every byte of a poisoned array: NaN for floating-point numbers
GUARD_BYTE = 0xA5  # Value of every byte in guard zones
# Reasons why `compute` is timed as `throughput`: a call waits for the device, or the timer misses a call's commands
MARKS = SYNCHRONISES, UNSEEN = "synchronises", "unseen"
NAMING = ("LOAD_GLOBAL", "LOAD_DEREF", "LOAD_CLOSURE")  # Bytecode instructions that load a global or closure variable


class Unavailable(Hindrance):
    """A backend cannot run here, or a library cannot use a device."""


def install_command(packages: str) -> str:
    """Return the command that installs packages for this Python, from the variable INSTALL or else with pip."""
    return os.environ.get(INSTALL, "pip install {}").format(packages)


class OpenDevice:
    """Defaults of a backend's Session."""

    PINNED = False
    ONE_STREAM = False
    RESULTS = ()
    OUT_OF_MEMORY = ()
    REASONS = ()

    @staticmethod
    def variables(device, threads):
        return {}

    def settings(self):
        return {}

    def argument(self, value):
        return value

    def update(self, array, host, places):
        self.copy_in(array, host)

    def wait(self, result):
        pass

    def spent(self, result):
        return False

    def launch_facts(self, call):
        return None

    def gpu(self):
        return None

    def explain(self, error):
        words = str(error)
        for pattern, outcome, reason, *remedy in self.REASONS:
            if pattern.search(words):
                return outcome, ": ".join([reason.format(words), *remedy]), *remedy
        return None

    def lost(self):
        return None


def waits(session):
    """Return whether a session overrides `wait`: calls of its library return before the result is computed."""
    return getattr(session.wait, "__func__", None) is not OpenDevice.wait


def launched(run):
    """Return ([kernels that `run` may launch, the most likely first], bytes of their dynamic shared memory).

    `run.kernel` is the only candidate if it exists. Otherwise, the candidates are `run` itself and the global and
    closure variables that its code uses, in order of use. The bytes come from the variable `shared_bytes`.
    """
    kernel, named, order = getattr(run, "kernel", None), {}, ()
    if inspect.isfunction(run):
        around = inspect.getclosurevars(run)
        named = {**around.globals, **around.nonlocals}
        order = dict.fromkeys(i.argval for i in dis.get_instructions(run) if i.opname in NAMING)
    candidates = [run, *(named[name] for name in order if name in named)] if kernel is None else [kernel]
    return candidates, named.get("shared_bytes", getattr(run, "shared_bytes", 0))


def number_equal_names(devices: list[Device]) -> list[Device]:
    """Return the devices with numbers behind equal names: "NVIDIA H200 #1", "NVIDIA H200 #2"."""
    names = [device.name for device in devices]
    return [
        device if names.count(name) == 1 else replace(device, name=f"{name} #{names[: i + 1].count(name)}")
        for i, (name, device) in enumerate(zip(names, devices, strict=True))
    ]


@cache
def modules():
    """Return {backend: module}, longest names first, so that `numba_cuda_jit` belongs to numba_cuda, not numba."""
    from accelbench.backends import contract  # imported lazily to speed up worker start-up

    contract.toolchains.modules()  # raises InputError for duplicate toolchains before backends are checked
    backends = discovery.find(__name__, __path__, check=contract.check, stand_in=contract.BrokenBackend)
    served = ((name, module) for module in backends for name in module.BACKENDS)
    return dict(sorted(served, key=lambda item: -len(item[0])))


def of(implementation):
    """Return the backend with which an implementation's name begins, or None: "cffi" for `cffi_api_native`."""
    return next((name for name in modules() if implementation == name or implementation.startswith(name + "_")), None)


def environment(backend):
    """Return the name of the environment that a backend needs; None if accelbench's own Python has its library."""
    needed = getattr(modules()[backend], "ENVIRONMENT", None)
    return needed.get(backend) if isinstance(needed, dict) else needed


def of_environment(name):
    """Return the backends that need the environment `name`, or else the backend that has this name, if any."""
    return tuple(b for b in modules() if environment(b) == name) or (name,) * (name in modules())


def sharing(backend):
    """Return the names of the backends that also run the implementations of `backend`."""
    return [name for name, module in modules().items() if getattr(module, "FILES_OF", None) == backend]


def problem(backend):
    """Return what is wrong with a backend's module, or None."""
    return getattr(modules()[backend], "problem", None)


def toolchain(backend):
    """Return the toolchain that builds SOURCES of this backend's implementations, or None."""
    return modules()[backend].BACKENDS[backend]


def devices(toolchain, backends):
    """Return the Devices that a toolchain builds for. `backends` is {name: Backend}."""
    served = [name for name in modules() if name in backends and modules()[name].BACKENDS[name] == toolchain]
    return [device for name in served for device in backends[name].devices]


def packages(backend):
    """Return the names of the distributions that a backend needs."""
    return modules()[backend].PACKAGES[backend]
