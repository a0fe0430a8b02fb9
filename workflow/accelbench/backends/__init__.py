"""Backends: the libraries that execute implementations. One module each; finding it here is its only registration.

The contract, on one screen. A backend module holds

    BACKENDS = {"pyopencl": "opencl"}     the backends it serves, each with the toolchain its SOURCES imply (or None)
    PACKAGES = {"pyopencl": ("pyopencl",)} the distributions each needs: for versions, and for reasons when missing
    ENVIRONMENT = "jax"                   where accelbench's own Python lacks its library: the name of the lock that has
                                          it, and of the environment that a configuration names for it (environments)
    once(device, folder)                  optional: what its library finds out about a machine when it is first used
                                          there, for every worker once it is imported and timed: kept in `folder`,
                                          which all workers of a machine and environment share
    probe(backend) -> [Device, ...]       or raises Unavailable(reason); run in a process of its own. What a device can
                                          hold stands in device_limits, model.device.DeviceLimits
    class Session(OpenDevice)             one open device in one worker process:

        variables(device, threads)        static: what must stand in the environment before the library is imported, a
                                          pool of `threads` threads for one (None: the host does not compute)
        Session(backend, device)          opens the context; its attributes `queue`, `stream` become the case's
        settings()                        what of the library's own state can change a result, for the record
        load(artifact, folder, toolchain) what `case.artifact(source)` returns for an Artifact of a manifest in `folder`
        empty(shape, dtype)               an array where the work is done, contents undefined, within guard zones
        poison(array)                     fills an `empty` array with POISON: no number, and nobody's result
        release(array)                    forgets an `empty` array
        argument(value)                   what `run` is given in place of an `empty` array or of a number, where its
                                          library has others
        copy_in(array, host)              host -> array, complete on return
        update(array, host, places)       as copy_in, of a C-contiguous `host` in which the elements at a few `places`
                                          of the flattened array alone have changed; copy_in where it is not written
        copy_out(value, into=None)        array, device scalar or whatever `run` returned -> NumPy array or scalar,
                                          complete on return; an array goes to the host array `into`, where given
        pinned(shape, dtype)              a NumPy array in page-locked memory, where PINNED
        intact(array)                     whether nobody wrote into the guard zones around an `empty` array
        synchronise()                     waits until all work is done
        wait(result)                      waits until what `run` returned or wrote is there, for a library whose calls
                                          return before: a part of every call that is timed or checked
        spent(result)                     whether what `run` returned has been given up to a later call, and is gone
        timers(call)                      {kind: function(loops) -> seconds per call}; call.statement is timed in
                                          call.namespace; "compute" always, what the device takes and not the host
                                          to launch it, or call.mark says why not (one of MARKS); "throughput" where
                                          that is another thing, of calls as fast as the host makes them; both called
                                          with lead=True where an untimed call should go ahead; "call" and "launch"
                                          where they differ
        flush_cache()                     empties the device's caches before what is launched next
        launch_facts(call)                LaunchFacts as far as a kernel tells that `run` launches (see `launched`), or
                                          None
        gpu()                             where the GPU it is sits ("0000:1b:00.0"), for what NVML tells of it; None
                                          where it is none, or a part of one
        explain(error)                    (outcome, reason) of an exception whose type does not tell, or None
        lost()                            why this process cannot use the device any more, or None
        ON_HOST                           whether its arrays are NumPy arrays in host memory
        PINNED                            whether transfers from page-locked memory are another thing
        RESULTS                           types of what `run` may return beside numbers and arrays like those of `empty`
        OUT_OF_MEMORY                     exception types that mean it

Backends know no measuring: which timer runs how often is not decided here. Importing a backend module imports none of
its libraries.
"""

import dis
import inspect
from dataclasses import replace
from functools import cache

from accelbench import discovery
from accelbench.model.device import Device

POISON = 0xFF  # in every byte: NaN for floating-point numbers
GUARD_BYTE = 0xA5  # in every byte around an array
# Why `compute` of a call is its `throughput`: the call waits for the device, or what it enqueues cannot be seen.
MARKS = SYNCHRONISES, UNSEEN = "synchronises", "unseen"
NAMING = ("LOAD_GLOBAL", "LOAD_DEREF", "LOAD_CLOSURE")  # instructions that take a variable from around a function


class Unavailable(Exception):
    """The backend cannot run here; the message is the reason a person reads."""


class OpenDevice:
    """What a backend's Session need not write where it has nothing to say."""

    PINNED = False
    RESULTS = ()
    OUT_OF_MEMORY = ()

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
        return None

    def lost(self):
        return None


def waits(session):
    """Whether results of a session's library must be waited for."""
    return getattr(session.wait, "__func__", None) is not OpenDevice.wait


def launched(run):
    """([what `run` may launch, the most likely first], bytes of dynamic shared memory it launches that with).

    That is `run.kernel` where it has one; else `run` itself and the variables beside its own that its code names, in
    that order. The bytes are its variable `shared_bytes`.
    """
    kernel, named, order = getattr(run, "kernel", None), {}, ()
    if inspect.isfunction(run):
        around = inspect.getclosurevars(run)
        named = {**around.globals, **around.nonlocals}
        order = dict.fromkeys(i.argval for i in dis.get_instructions(run) if i.opname in NAMING)
    candidates = [run, *(named[name] for name in order if name in named)] if kernel is None else [kernel]
    return candidates, named.get("shared_bytes", getattr(run, "shared_bytes", 0))


def number_equal_names(devices: list[Device]) -> list[Device]:
    """The devices, those of the same name told apart: "NVIDIA H200 #1", "NVIDIA H200 #2"."""
    names = [device.name for device in devices]
    return [
        device if names.count(name) == 1 else replace(device, name=f"{name} #{names[: i + 1].count(name)}")
        for i, (name, device) in enumerate(zip(names, devices, strict=True))
    ]


@cache
def modules():
    """{backend name: backend module}, the longest names first so that `numba_cuda_jit` is not taken for numba's."""
    from accelbench.backends import contract  # imported lazily to speed up worker start-up

    modules = discovery.find(__name__, __path__, check=contract.check, stand_in=contract.BrokenBackend)
    served = [(name, module) for module in modules for name in module.BACKENDS]
    return dict(sorted(served, key=lambda item: -len(item[0])))


def of(implementation):
    """The backend of an implementation's name, or None: `cffi_api_native` -> "cffi"."""
    return next((name for name in modules() if implementation == name or implementation.startswith(name + "_")), None)


def environment(backend):
    """Return the name of the environment that a backend needs; None if accelbench's own Python has its library."""
    return getattr(modules()[backend], "ENVIRONMENT", None)


def of_environment(name):
    """Return the backends that need an environment; else the backend of that name; else none."""
    return tuple(b for b in modules() if environment(b) == name) or (name,) * (name in modules())


def problem(backend):
    """What is wrong with a backend's module, for a person, or None."""
    return getattr(modules()[backend], "problem", None)


def toolchain(backend):
    """The toolchain that builds SOURCES of this backend's implementations, or None."""
    return modules()[backend].BACKENDS[backend]


def devices(toolchain, found):
    """The Devices of those among the Backends `found`, by name, that the toolchain builds for."""
    served = [name for name in modules() if name in found and modules()[name].BACKENDS[name] == toolchain]
    return [device for name in served for device in found[name].devices]


def packages(backend):
    """Names of the distributions a backend needs."""
    return modules()[backend].PACKAGES[backend]
