"""The plan of cases, which combines the configuration, a kernel's implementations and the machine's devices."""

import fnmatch
import itertools
from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np

from accelbench.config import select
from accelbench.errors import InputError, one_line
from accelbench.model import record as records
from accelbench.model.parameters import BLOCK_SIZE
from accelbench.model.watched import BANDWIDTHS, PREFIX, is_peak

# Backends that measure peaks (maximum rates of the machine), in the order of preference. Each device uses the first
# backend that runs on the device.
PEAK_BACKENDS = ("cffi", "numba", "cupy", "pyopencl")


@dataclass(frozen=True, eq=False)
class Problem:
    """A kernel with options, a size and a dtype. The cases of a problem share their inputs."""

    kernel: str
    options: dict
    size: int
    dtype: str

    @cached_property
    def id(self):
        return records.problem_id(self.kernel, options=self.options, size=self.size, dtype=self.dtype)


@dataclass(frozen=True)
class Verdict:
    """The reason why a case has no time. A Record has fields with the same names.

    reason  sentence for the user
    remedy  what the user can do to get a time; "" if the general remedy of the outcome applies
    cause   text that similar reasons have in common, by which pages group cases; "" to group by the whole `reason`
    """

    outcome: records.Outcome
    reason: str | None
    remedy: str = ""
    cause: str = ""


@dataclass(frozen=True, eq=False)
class PlannedCase:
    """A case: a problem with an implementation, a device, a number of threads and parameters.

    verdict      Verdict if the case cannot run, else None
    tuned        best parameters of the sweep that tunes the implementation, or None; not part of the case's id
    environment  name of the implementation's environment; "" for accelbench's own Python
    """

    problem: Problem
    implementation: str
    backend: str
    device: str | None
    threads: int | None
    parameters: dict
    verdict: Verdict | None = None
    tuned: dict | None = None
    environment: str = ""

    kernel = property(lambda self: self.problem.kernel)
    options = property(lambda self: self.problem.options)
    size = property(lambda self: self.problem.size)
    dtype = property(lambda self: self.problem.dtype)

    @cached_property
    def id(self):
        return records.case_id(self)

    @property
    def where(self):
        return self.environment, self.backend, self.device

    @property
    def worker(self):
        """The identity of the case's worker: implementation, device and number of threads."""
        return self.implementation, self.device, self.threads

    @property
    def checked_as(self):
        """The implementation and the device. One case of each pair is checked for reuse of earlier calls' results."""
        return self.implementation, self.device

    @property
    def predicted(self):
        """Key that cases share if they differ only in size. The times of such cases predict each other."""
        return self.worker, self.dtype, str(self.options), str(self.parameters)


def problems(config, sizes):
    """Return every Problem of an EffectiveConfig at `sizes`, in the order of the configuration."""
    return [
        Problem(config.kernel.name, dict(zip(config.options, combination, strict=True)), size, dtype)
        for combination in itertools.product(*config.options.values())
        for size in dict.fromkeys(sizes)
        for dtype in config.dtypes
    ]


def cases(config, machine):
    """Return every PlannedCase of an EffectiveConfig on a Machine, in a fixed order."""
    planned = _cases(config, machine, sizes=config.sizes, selects=lambda *_: True)
    if machine.has_gpu:
        baselines = config.kernel.spec.all_baselines
        planned += _cases(
            config, machine, sizes=config.sizes_gpu, selects=lambda i, kind: kind == "gpu" or i.name in baselines
        )
    return _peaks(planned, config, machine) if is_peak(config.kernel.name) and config.whole else planned


def _peaks(planned, config, machine):
    """Return the `planned` cases that measure a peak: of one backend on each device, and of the baseline.

    Bandwidths are measured only on a device whose cache is too small for the largest problem of the configuration.
    OpenCL devices on the host are left out, since they are the same cores as `cpu`.
    """
    devices, chosen = [d for d in machine.devices if d.name == "cpu" or not d.on_host], {}
    beyond = {device.name for device in devices}
    if config.kernel.name.removeprefix(PREFIX) in BANDWIDTHS:
        level3 = machine.cpu.caches.get("L3")
        caches = {d.name: level3 if d.on_host else d.device_limits.cache_bytes for d in devices}
        beyond = _beyond_caches(config.whole, machine, caches)
    for name in [device.name for device in devices if device.name in beyond]:
        running = {case.backend for case in planned if case.device == name and case.verdict is None}
        chosen[name] = next((backend for backend in PEAK_BACKENDS if backend in running), None)
    baseline = config.kernel.spec.baseline if chosen else None
    return [c for c in planned if c.implementation == baseline or c.backend == chosen.get(c.device, "")]


def _beyond_caches(config, machine, caches):
    """Return the names of devices whose cache is too small for the largest problem of a Config.

    caches  {name of a device: bytes of its cache, None if unknown}; a cache of unknown size counts as too small

    The function loads one kernel after the other, until the caches of all devices have proven too small.
    """
    holding = dict(caches)
    for selected in select.effective_configs(config):
        sizes = [*selected.sizes, *(selected.sizes_gpu if machine.has_gpu else ())]
        most = max((_touched(selected.kernel, problem) for problem in problems(selected, sizes)), default=0)
        holding = {name: size for name, size in holding.items() if size is not None and most <= size}
        if not holding:
            break
    return caches.keys() - holding.keys()


def _touched(folder, problem):
    """Return how many bytes a call of a problem accesses."""
    read, written, _ = folder.cost(problem.size, np.dtype(problem.dtype).itemsize, problem.options)
    touched = folder.footprint_bytes(problem.size, problem.dtype, problem.options)
    return touched if read is None else min(touched, read + written)


def check_devices(config, backends, where):
    """Return a warning about patterns in config.devices that match no device; None if every pattern matches one.

    backends  the Backends of a Machine
    where     name of the configuration, for messages

    Raise InputError if no pattern matches, since only `cpu` would then be measured. Also raise InputError if the
    machine has GPUs, but none with the number config.device.
    """
    gpus = {n for backend in backends.values() for _, n in _numbered(backend.devices) if n is not None}
    if gpus and config.device not in {"all", *gpus}:
        known = f"a number from 0 to {max(gpus)}" if max(gpus) else "0"
        raise InputError(
            where,
            f"device: this machine has no GPU with the number {config.device}",
            f"Set device to all or to {known}",
        )
    names = dict.fromkeys(device.name for backend in backends.values() for device in backend.devices)
    unmatched = [pattern for pattern in config.devices if not any(_matches(name, pattern) for name in names)]
    if not unmatched:
        return None
    patterns = ", ".join(map(repr, unmatched))
    problem = f"devices: {patterns} {'matches' if len(unmatched) == 1 else 'match'} no device here"
    if unusable := _unusable(backends, unmatched):
        problem += f" that can be used ({unusable})"
    found_here = f"Devices found: {', '.join(names) or 'none'}"
    if len(unmatched) == len(config.devices):
        raise InputError(where, problem, f"{found_here}. Add cpu to measure on the cores only, or correct the pattern")
    return one_line(f"{where}: {problem}, so no case is measured on such a device. {found_here}")


def _unusable(backends, patterns):
    """Return the reasons why devices that match any of `patterns` are unusable; "" if there is no such device."""
    unusable = {name: reason for backend in backends.values() for name, reason in backend.unusable.items()}
    named = {name for name in unusable for pattern in patterns if _matches(name, pattern)}
    return "; ".join(f"{name}: {reason}" for name, reason in unusable.items() if name in named)


def _matches(name, pattern):
    return fnmatch.fnmatchcase(name.lower(), pattern.lower())


def _cases(config, machine, *, sizes, selects):
    """Return the cases at `sizes` for which selects(implementation, kind of device) is true.

    The kind of device is None if the backend has no device.
    """
    return [
        case
        for problem in problems(config, sizes)
        for implementation in config.implementations.values()
        for case in _of(implementation, problem, config=config, machine=machine, selects=selects)
    ]


def _of(implementation, problem, *, config, machine, selects):
    where, available = implementation.environment, machine.cpu.available
    backend = machine.probes[where, implementation.backend]
    case = partial(PlannedCase, problem, implementation.name, implementation.backend, environment=where)
    if implementation.problem:
        yield case(None, None, {}, Verdict("error", implementation.problem))
        return
    if not backend.available and selects(implementation, None):
        yield case(None, None, {}, Verdict("unavailable", backend.reason, backend.remedy))
    for device in _devices(config.config, backend.devices):
        if selects(implementation, device.kind):
            counts = _thread_counts(config.config, implementation, device, available=available)
            for threads, parameters in itertools.product(counts, _parameters(config, implementation, device)):
                possible = case(device.name, threads, parameters)
                yield replace(possible, verdict=_impossible(possible, device, available))


def _devices(config, devices):
    """Return the devices that the configuration selects. It must select a GPU by its name and by its number."""
    numbered = [d for d, number in _numbered(devices) if number is None or config.device in ("all", number)]
    # `cpu` is always selected, since the baseline needs it.
    return [d for d in numbered if d.name == "cpu" or any(_matches(d.name, pattern) for pattern in config.devices)]


def _numbered(devices):
    """Yield (device, number) of a backend's devices.

    The GPUs of each platform are numbered from 0. The number of a device on the host is None.
    """
    gpus = Counter()
    for device in devices:
        platform = device.index.get("platform")
        yield device, None if device.on_host else gpus[platform]
        gpus[platform] += not device.on_host


def _thread_counts(config, implementation, device, *, available):
    if not device.on_host:
        return [None]
    if not implementation.threads:
        return [1] if device.name == "cpu" else [available]
    return list(dict.fromkeys(available if count == "all" else count for count in config.threads))


def _parameters(config, implementation, device):
    """Return every combination of the implementation's parameters.

    Block sizes come from the configuration if the implementation lists none. The device `cpu` has no block size.
    """
    blocks = config.block_sizes(device.kind)
    swept = {name: given or blocks for name, given in implementation.parameters.items()}
    if device.name == "cpu":
        swept.pop(BLOCK_SIZE, None)
    return [dict(zip(swept, combo, strict=True)) for combo in itertools.product(*swept.values())]


def _impossible(case, device, available):
    """Return a Verdict if a case cannot run on its device, else None."""
    if case.threads is not None and case.threads > available:
        return Verdict(
            "unsupported",
            f"{case.threads} threads are more than the {available} cores of this run",
            f"write threads: [all], or numbers up to {available}; or use more cores (--cores)",
        )
    if case.dtype in device.unsupported_dtypes:
        return Verdict("unsupported", device.unsupported_dtypes[case.dtype])
    block, limits = case.parameters.get(BLOCK_SIZE), device.device_limits
    if block is not None and limits.max_block_size is not None:
        extents = zip(block.extents, limits.max_block_shape or (), strict=False)
        for what, value, limit in (("size", block.threads, limits.max_block_size), *(("extent", *e) for e in extents)):
            if value > limit:
                reason = f"block {what} {value} exceeds the device's limit of {limit}"
                return Verdict("unsupported", reason, cause="the device does not support this block size")
    return None
