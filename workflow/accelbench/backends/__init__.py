"""Backends: the libraries that execute implementations. Every module in this folder with BACKENDS registers backends.

The contract. A backend's module must define these names, except the optional ones:

    BACKENDS = {"pyopencl": "opencl"}     {backend: toolchain that builds its implementations' SOURCES, or None}
    PACKAGES = {"pyopencl": ("pyopencl",)} {backend: distributions that it needs}. accelbench records their versions
                                          and reports missing distributions
    ENVIRONMENT = "jax"                   needed if accelbench's own Python lacks the library: name of the lock file in
                                          envs/ that installs the library. The environment in a configuration has the
                                          same name. If the backends need different lock files, the value is a dict
                                          {backend: name}
    FILES_OF = "numba_cuda"               optional: another backend, whose implementations this backend also runs
    once(device, folder)                  optional: does set-up that the library would otherwise do at its first use.
                                          Each worker calls `once` after the timed import of the implementation. All
                                          workers of a machine and environment share `folder`
    probe(backend) -> [Device, ...]       returns the devices, or raises Unavailable(problem, remedy). It runs in a
                                          separate process. Device.device_limits is a model.device.DeviceLimits
    class Session(OpenDevice)             one open device in one worker process:

        variables(device, threads)        static: returns environment variables to set before the library is imported,
                                          such as the size of its thread pool. `threads` is the number of threads, or
                                          None if the host's cores do not compute
        Session(backend, device)          opens the device and sets the attributes `queue` and `stream`, which
                                          implementations get as attributes of `case`
        settings()                        returns library settings that can change a result. accelbench records them
        load(artifact, folder, toolchain) returns the value of `case.artifact(source)`. `artifact` is an Artifact from
                                          the manifest in `folder`
        empty(shape, dtype)               returns an uninitialised array on the device, between two guard zones
        poison(array)                     fills an array from `empty` with POISON, an improbable result
        release(array)                    drops the session's references to an array from `empty`
        argument(value)                   converts an array from `empty`, or a number, to the type that `run` takes. The
                                          default returns the value unchanged
        copy_in(array, host)              copies `host` to `array`, and returns when the copy is complete
        update(array, host, places)       copies only the elements at `places` from the C-contiguous array `host`.
                                          `places` are indices of the flattened array. The default copies everything
        copy_out(value, into=None)        returns a copy of an array, a device scalar or a result of `run`, as a NumPy
                                          array or scalar. The copy is complete on return. On the host, the method may
                                          return the array itself. An array is copied to the array `into`, if given
        pinned(shape, dtype)              returns a NumPy array in page-locked memory. Needed only if PINNED is true
        intact(array)                     returns whether the guard zones around an array from `empty` are unchanged
        synchronise()                     waits until all work is done
        wait(result)                      waits until a result of `run` is computed. Needed only if calls of the library
                                          return before that. accelbench calls `wait` after every call that it checks.
                                          The timers of the session also wait for results, except "launch"
        spent(result)                     returns whether a later call has reused the memory of `result`
        timers(call)                      returns {kind: function(loops) -> seconds per call}. The functions time
                                          call.statement in call.namespace. "compute", the device's time without the
                                          launch, is required. If a timer cannot measure this time, it sets call.mark to
                                          one of MARKS. "throughput", "call" and "launch" are needed only if they differ
                                          from "compute". For "throughput", the host launches calls as fast as it can.
                                          Called with lead=True, "compute" and "throughput" may first make untimed calls
        flush_cache()                     empties the device's caches before the next launch
        launch_facts(call)                returns LaunchFacts of the kernel that `run` launches, or None if unknown
        gpu()                             returns the GPU's PCI address ("0000:1b:00.0"), by which NVML finds the GPU.
                                          Returns None for parts of GPUs (MIG) and for devices that are no NVIDIA GPUs
        explain(error)                    returns (outcome, reason) or (outcome, reason, remedy) for an exception whose
                                          type does not determine the outcome. Returns None if the reason is unknown.
                                          The default returns the first match in REASONS
        lost()                            returns why this process can no longer use the device, or None
        ON_HOST                           whether arrays are NumPy arrays in host memory
        PINNED                            whether to time transfers from page-locked memory, besides ordinary transfers
        ONE_STREAM                        whether all work on a GPU is in one CUDA stream
        RESULTS                           types that `run` may return, besides numbers, NumPy's arrays and the types of
                                          arrays that `empty` and `argument` return
        OUT_OF_MEMORY                     exception types that mean exhausted memory if `explain` returns None
        REASONS                           ((pattern of the message, outcome, reason), ...) for `explain`. A remedy may
                                          follow the reason. "{}" in a reason stands for the message

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

INSTALL = "ACCELBENCH_INSTALL"  # Environment variable with the install command, in which {} stands for package names
POISON = 0xFF  # Value of every byte of a poisoned array: NaN for floating-point numbers
GUARD_BYTE = 0xA5  # Value of every byte in guard zones
# Values of call.mark: reasons why a timer cannot measure the device's time alone. SYNCHRONISES: the call waits for the
# device. UNSEEN: the device's work cannot be timed without the launch.
MARKS = SYNCHRONISES, UNSEEN = "synchronises", "unseen"
NAMING = ("LOAD_GLOBAL", "LOAD_DEREF", "LOAD_CLOSURE")  # Bytecode instructions that load a global or closure variable


class Unavailable(Hindrance):
    """Error of a backend that cannot run on this machine, or of a library that cannot use a device."""


def install_command(packages: str) -> str:
    """Return the command that installs `packages` for this Python. If ACCELBENCH_INSTALL is set, use its command."""
    return os.environ.get(INSTALL, "pip install {}").format(packages)


class OpenDevice:
    """Base class of a backend's Session, with default methods and constants."""

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
    """Return whether a session overrides `wait`, because its library's calls return before the result is computed."""
    return getattr(session.wait, "__func__", None) is not OpenDevice.wait


def launched(run):
    """Return ([kernels that `run` may launch, the most likely first], bytes of their dynamic shared memory).

    `run.kernel` is the only candidate if it exists. Otherwise, the candidates are `run` itself and the global and
    closure variables that the code of `run` uses, in order of use. The number of bytes is the variable
    `shared_bytes` that `run` uses, or the attribute `run.shared_bytes`, or 0.
    """
    kernel, named, order = getattr(run, "kernel", None), {}, ()
    if inspect.isfunction(run):
        around = inspect.getclosurevars(run)
        named = {**around.globals, **around.nonlocals}
        order = dict.fromkeys(i.argval for i in dis.get_instructions(run) if i.opname in NAMING)
    candidates = [run, *(named[name] for name in order if name in named)] if kernel is None else [kernel]
    return candidates, named.get("shared_bytes", getattr(run, "shared_bytes", 0))


def number_equal_names(devices: list[Device]) -> list[Device]:
    """Return the devices. Append numbers to names that several devices have: "NVIDIA H200 #1", "NVIDIA H200 #2"."""
    names = [device.name for device in devices]
    return [
        device if names.count(name) == 1 else replace(device, name=f"{name} #{names[: i + 1].count(name)}")
        for i, (name, device) in enumerate(zip(names, devices, strict=True))
    ]


@cache
def modules():
    """Return {backend: module}, the longest names first.

    This order assigns the implementation `numba_cuda_jit` to the backend numba_cuda, not to numba.
    """
    from accelbench.backends import contract  # imported lazily to speed up worker start-up

    contract.toolchains.modules()  # raises InputError for duplicate toolchains before backends are checked
    backends = discovery.find(__name__, __path__, check=contract.check, stand_in=contract.BrokenBackend)
    served = ((name, module) for module in backends for name in module.BACKENDS)
    return dict(sorted(served, key=lambda item: -len(item[0])))


def of(implementation):
    """Return the backend, such as "cffi", with which an implementation's name begins, or None."""
    return next((name for name in modules() if implementation == name or implementation.startswith(name + "_")), None)


def environment(backend):
    """Return the name of the environment that a backend needs, or None if accelbench's own Python suffices."""
    needed = getattr(modules()[backend], "ENVIRONMENT", None)
    return needed.get(backend) if isinstance(needed, dict) else needed


def of_environment(name):
    """Return the backends that need the environment `name`.

    If no backend needs this environment, return the backend called `name`, if it exists.
    """
    return tuple(b for b in modules() if environment(b) == name) or (name,) * (name in modules())


def sharing(backend):
    """Return the names of the backends that also run the implementations of `backend`."""
    return [name for name, module in modules().items() if getattr(module, "FILES_OF", None) == backend]


def problem(backend):
    """Return why a backend's module cannot be used, or None."""
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
