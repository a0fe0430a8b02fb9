"""Costs and memory demand of problems, and groups of cases that fit into memory together."""

import bisect
import dataclasses
import math
from collections import Counter
from functools import cached_property

import numpy as np

from accelbench.machine.memory import free_memory_bytes
from accelbench.measure.plan import Verdict

HOST = "host"
WORKER_BYTES = 200 << 20  # Memory of a worker's interpreter and library, without arrays, in bytes
TRUTHS = 5  # Number of copies of a problem's arrays in the verifier, including the results that a worker sends
CONTEXT_BYTES = 600 << 20  # Memory of a worker's context on a GPU, in bytes
# Number of copies of a device's arrays in host memory: for uploads, for downloads, and in page-locked memory
DEVICE_COPIES = 3
PYTHON_OBJECTS = 8  # Ratio of the memory of a list of Python numbers to the memory of an array of the same numbers
# Assumed rate at which a working set is loaded back into the caches, in bytes/s. The measured rate was 35e9.
REFILL_RATE = 2e10


@dataclasses.dataclass
class MemoryDemand:
    """Bytes that cases need in one memory: the host's or a GPU's.

    workers   demand of all workers, without arrays
    problems  {id of a problem: demand of its arrays in all workers and in the verifier together}
    """

    workers: int = 0
    problems: Counter = dataclasses.field(default_factory=Counter)

    @property
    def peak(self):
        """Maximum number of bytes needed if only one problem is loaded at a time."""
        return self.workers + max(self.problems.values(), default=0)


@dataclasses.dataclass(frozen=True)
class Group:
    """Cases that are measured together.

    resident  ids of problems whose arrays stay loaded while other problems are measured
    """

    cases: list
    resident: set[str]


class Footprint:
    """Memory demand of a kernel's problems on a machine.

    The host's memory is called "host". The memory of a GPU has the name of the GPU.
    """

    def __init__(self, folder, machine, devices):
        self._folder, self._machine, self._devices = folder, machine, devices

    def free(self, share=1.0):
        """Return {memory: bytes}: `share` times the host's free memory and each GPU's memory (infinite if unknown)."""
        gpus = {d.name: d.device_limits.memory_bytes or math.inf for d in self._devices.values() if not d.on_host}
        return {memory: share * size for memory, size in {HOST: free_memory_bytes(), **gpus}.items()}

    @cached_property
    def _free_at_first(self):
        """Free memory before workers run, {memory: bytes}."""
        return self.free()

    def cost(self, problem):
        """Return (bytes read, bytes written, flops) of a call. Numbers that kernel.py does not define are None."""
        return self._folder.cost(problem.size, np.dtype(problem.dtype).itemsize, problem.options)

    def work(self, problem):
        """Return the work of a problem: the larger of flops and moved bytes / 8, but at least 1.

        The time of a call is about proportional to the work.
        """
        return max(self.cost(problem)[2] or 0.0, self.moved(problem) / 8, 1.0)

    def moved(self, problem):
        """Return how many bytes a call reads and writes; if kernel.py does not define this, the size of all arrays."""
        read, written, _ = self.cost(problem)
        return self.arrays(problem) if read is None else read + written

    def smaller(self, problem, work):
        """Return `problem` at its largest size with at most `work`, or at the smallest size if all have more work."""
        sizes = range(max(1, self._folder.spec.smallest), max(problem.size, 1) + 1)
        within = bisect.bisect_right(sizes, work, key=lambda size: self.work(dataclasses.replace(problem, size=size)))
        return dataclasses.replace(problem, size=sizes.start + max(0, within - 1))

    def arrays(self, problem):
        """Return the size of a problem's arrays, in bytes."""
        return self._folder.footprint_bytes(problem.size, problem.dtype, problem.options)

    def working_set(self, problem):
        """Return how many bytes one call accesses. Arrays that the call reads repeatedly count once."""
        return min(self.arrays(problem), self.moved(problem))

    def cache_share(self, case):
        """Return the ratio of a case's working set to the last-level cache of its device; inf if unknown."""
        cache_bytes = self.cache_bytes(case)
        return self.working_set(case.problem) / cache_bytes if cache_bytes else math.inf

    def cache_bytes(self, case):
        """Return the size of the last-level cache of a case's device, in bytes; None if unknown."""
        device = self._devices[case.where]
        return self._machine.cpu.caches.get("L3") if device.on_host else device.device_limits.cache_bytes

    def resident(self, case):
        """Return whether a case's working set fits the last-level cache of its device."""
        return self.cache_share(case) <= 1

    def refill_s(self, case):
        """Return the time to load a case's working set back into the caches, in seconds; 0 if it does not fit."""
        return self.working_set(case.problem) / REFILL_RATE if self.resident(case) else 0.0

    def too_large(self, case):
        """Return a Verdict if a case alone needs more memory than is free on the host or its GPU, else None."""
        free = self._free_at_first
        for memory, needs in self.needs([case]).items():
            if needs.peak > free[memory]:
                where = "" if memory == HOST else f" of {memory}'s"
                reason = (
                    f"it needs about {needs.peak / 1e9:.3g} GB{where} memory, "
                    f"but only {free[memory] / 1e9:.3g} GB are available"
                )
                return Verdict("out_of_memory", reason)
        return None

    def needs(self, cases):
        """Return {memory: MemoryDemand} of cases, estimated from the arrays of their problems."""
        needs = {HOST: MemoryDemand()}
        for device in {case.worker: self._devices[case.where] for case in cases}.values():
            needs[HOST].workers += WORKER_BYTES
            if not device.on_host:
                needs.setdefault(device.name, MemoryDemand()).workers += CONTEXT_BYTES
        for case in {(case.problem.id, case.worker): case for case in cases}.values():
            for memory, size in self._of(case).items():
                needs[memory].problems[case.problem.id] += size
        # The verifier also stores original inputs, changed inputs and inputs of another seed, and their results.
        for problem in {case.problem.id: case.problem for case in cases}.values():
            needs[HOST].problems[problem.id] += TRUTHS * int(self.arrays(problem))
        return needs

    def _of(self, case):
        """Return {memory: bytes} that the arrays of a case's problem need in one worker."""
        arrays, device = int(self.arrays(case.problem)), self._devices[case.where]
        if case.device == "cpu":
            return {HOST: arrays * (PYTHON_OBJECTS if case.backend == "python" else 1)}
        return {HOST: DEVICE_COPIES * arrays} | ({} if device.on_host else {case.device: arrays})

    def groups(self, cases, companions, share):
        """Divide cases into Groups, and return the Groups.

        companions  further cases, which are baselines. Each Group contains the baselines of the Group's problems
        share       maximum share of each memory that a Group needs. A Group with only one worker besides the baselines
                    may need more
        """
        free, baselines = self.free(share), self._folder.spec.all_baselines
        everything = [*cases, *companions]
        base = [case for case in everything if case.implementation in baselines]
        by_worker = {}
        for case in everything:
            if case.implementation not in baselines:
                by_worker.setdefault(case.worker, []).append(case)
        groups, current = [], []
        for worker_cases in by_worker.values():
            needs = self.needs([*base, *current, *worker_cases])
            if current and any(demand.peak > free[memory] for memory, demand in needs.items()):
                groups.append(current)
                current = []
            current += worker_cases
        groups.append(current)
        divided = []
        for group in groups:
            # The first group gets all cases of baselines. Every other group gets the baselines of its problems.
            problems = {case.problem.id for case in (group if divided else [*group, *base])}
            together = [*group, *(case for case in base if case.problem.id in problems)]
            divided.append(Group(together, self._resident(together, free)))
        return divided

    def _resident(self, cases, free):
        """Return the ids of the smallest problems that fit into memory all together, with any one larger problem."""
        needs = self.needs(cases)
        ascending = sorted(needs[HOST].problems, key=lambda problem: needs[HOST].problems[problem])
        resident = set()
        for i, problem in enumerate(ascending):
            for memory, of in needs.items():
                used = of.workers + sum(of.problems[other] for other in resident)
                rest = max((of.problems[other] for other in ascending[i + 1 :]), default=0)
                if used + of.problems[problem] + rest > free[memory]:
                    return resident
            resident.add(problem)
        return resident
