"""Reference cases that are sampled in the same rounds as a kernel's cases.

References show changes of the machine's speed. Peaks are reference cases that also show the machine's maximum bandwidth
at the time of the samples.
"""

import logging
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from functools import partial

from accelbench import project
from accelbench.config.select import EffectiveConfig
from accelbench.kernels import catalog
from accelbench.measure import plan
from accelbench.measure.bench import WARM_CALLS_AGAIN, Bench
from accelbench.measure.case_runner import CaseRunner
from accelbench.model.entry import TimedSamples
from accelbench.model.watched import BANDWIDTHS, PREFIX, PeakSamples, WatchedProblem, is_peak
from accelbench.rpc.process import Failed

CACHED = 100_000  # Number of elements of an array that fits the cache of one core
LARGE = 4_000_000  # Number of elements of an array that exceeds the cache of one core
BEYOND = 8  # Ratio of the total size of a peak's arrays to the size of the last-level cache
LEAST_BYTES, MOST_BYTES = 160e6, 800e6  # Minimum and maximum total size of a peak's arrays, in bytes
DTYPE, ITEM_BYTES = "float64", 8
ON_DEVICE = "copy"  # Peak that serves as the reference on a device if no other peak is sampled there

log = logging.getLogger("accelbench")


@dataclass(eq=False)
class ReferenceCase:
    """A case of a kernel in workflow/peaks, which is prepared and warmed up, and the samples of this case.

    peak         name of the bandwidth in BANDWIDTHS that the case measures; None for a reference on the host
    moved_bytes  bytes moved by a call
    call_s       time of a call during the warm-up, in seconds
    """

    case: plan.PlannedCase
    runner: CaseRunner
    loops: int
    peak: str | None = None
    moved_bytes: float = 0.0
    call_s: float = 0.0
    samples: dict[int, float] = field(default_factory=dict)

    def sample(self, number):
        """Take a sample in the round with this number. End the worker if the sample fails."""
        try:
            self.samples[number] = self.runner.sample(self.case, {"compute": self.loops})["compute"]
        except Failed:
            self.runner.close()

    @property
    def taken(self):
        return {"samples_s": list(self.samples.values()), "rounds": list(self.samples), "loops": self.loops}


class ReferenceSampler:
    """Sampler of the ReferenceCases of a Bench."""

    def __init__(self, bench, companions):
        self._bench, self._companions, self._peaks = bench, companions, []

    def begin(self, cases):
        """Return (references, peaks) to sample beside `cases` of a problem. Delete earlier samples of running workers.

        The arrays of peaks exceed the caches. A GPU without a peak gets a reference. The host gets references whose
        data fit a core's cache. If cases need more memory, the host also gets a peak or a large reference.
        """
        alive = [companion for companion in self._companions if companion.runner.alive]
        beside = _wanted_peaks(self._bench, cases)
        self._peaks = [c for c in alive if (c.case.device, c.case.threads) in beside.get(c.peak, ())]
        sized = {CACHED, LARGE} if _need_memory(self._bench, cases) else {CACHED}
        watched = {companion.case.device for companion in self._peaks}
        sized -= {LARGE} if "cpu" in watched else set()
        references = [companion for companion in alive if companion.peak is None and companion.case.size in sized]
        for device in _devices(self._bench, cases) - watched:
            references += [companion for companion in alive if companion.case.device == device][:1]
        for companion in alive:
            companion.samples = {}
        return references, self._peaks

    def watched(self, problem, repetition):
        """Return a WatchedProblem: the samples of references and peaks in the rounds of a problem."""
        taken = [companion for companion in self._companions if companion.samples]
        return WatchedProblem(
            problem=problem,
            repetition=repetition,
            references={c.case.id: TimedSamples(**c.taken) for c in taken if c not in self._peaks},
            peaks=[
                PeakSamples(
                    name=c.peak,
                    device=c.case.device,
                    threads=c.case.threads,
                    moved_bytes=c.moved_bytes,
                    case=c.case.id,
                    **c.taken,
                )
                for c in taken
                if c in self._peaks
            ],
        )


def _wanted_peaks(bench, cases):
    """Return {name of a peak: {(device, threads)}} for cases whose problems exceed the cache of their device."""
    peaks = {}
    for case in cases:
        read, written, _ = (amount or 0.0 for amount in bench.footprint.cost(case.problem))
        if read + written and not bench.footprint.resident(case) and not is_peak(bench.folder.name):
            share = read / (read + written)
            name = min(BANDWIDTHS, key=lambda name: abs(BANDWIDTHS[name] - share))
            on_host = bench.device(case).on_host
            peaks.setdefault(name, set()).add(("cpu", case.threads) if on_host else (case.device, None))
    return peaks


def _devices(bench, cases):
    """Return the names of the devices of cases, except devices on the host."""
    return {case.device for case in cases if not bench.device(case).on_host}


def _need_memory(bench, cases):
    """Return whether any case on the host touches more than twice the bytes of an array of CACHED elements."""
    sets = (bench.footprint.working_set(case.problem) for case in cases if bench.device(case).on_host)
    return max(sets, default=0) > 2 * CACHED * ITEM_BYTES


@contextmanager
def watching(bench, cases, earlier=()):
    """Yield a ReferenceSampler for cases of a Bench, and end the sampler's workers afterwards.

    cases    cases to measure; if there are none, no workers start
    earlier  earlier WatchedProblems of this instance of the machine, which name the fastest case of each peak
    """
    companions, known = [], {peak.case for watched in earlier for peak in watched.peaks}
    try:
        with bench.steps.step("start references"):
            if cases:
                peaks = _wanted_peaks(bench, cases)
                unwatched = _devices(bench, cases) - {device for places in peaks.values() for device, _ in places}
                peaks.setdefault(ON_DEVICE, set()).update((device, None) for device in unwatched)
                sizes = [CACHED, LARGE] if _need_memory(bench, cases) else [CACHED]
                tasks = [partial(_start_references, bench, companions, sizes)]
                tasks += [
                    partial(_start_peaks, bench, name, places=places, known=known, companions=companions)
                    for name, places in sorted(peaks.items())
                    if places
                ]
                with ThreadPoolExecutor(len(tasks)) as pool:
                    list(pool.map(lambda task: task(), tasks))
        yield ReferenceSampler(bench, companions)
    finally:
        for companion in companions:
            companion.runner.close()


def _start_references(bench, companions, sizes):
    """Start references that read an array, and append them to `companions`.

    For each of `sizes`, a reference with one thread starts. For size CACHED, a reference with all threads also starts.
    """
    with ReferenceStarter(bench, "peak_read") as starter:
        parallel = [i.name for i in starter.folder.implementations.values() if i.backend == "cffi" and i.threads]
        chosen = [(starter.folder.spec.baseline, 1, size) for size in sizes]
        chosen += [(name, bench.machine.cpu.available, CACHED) for name in parallel[:1]]
        for name, threads, size in chosen:
            for case in [case for case in starter.planned if (case.implementation, case.device) == (name, "cpu")][:1]:
                started = starter.start(starter.sized(replace(case, threads=threads), size))
                companions += [started] if started else []


def _start_peaks(bench, name, *, places, known, companions):
    """Start a peak on each (device, threads) of `places` with the first backend that runs there.

    The case of the peak is the case whose id is in `known`. If `known` has no such id, the case with the fastest calls
    in the warm-up is chosen. The case is appended to `companions`.
    """
    with ReferenceStarter(bench, PREFIX + name) as starter:
        for device, threads in sorted(places, key=str):
            for backend in ("cffi", "numba") if device == "cpu" else ("cupy", "pyopencl"):
                rivals = starter.rivals(backend, device, threads)
                chosen = [case for case in rivals if case.id in known] or rivals
                if started := list(filter(None, (starter.start(case, peak=name) for case in chosen))):
                    fastest = min(started, key=lambda companion: companion.call_s)
                    for runner in {companion.runner for companion in started} - {fastest.runner}:
                        runner.close()
                    companions.append(fastest)
                    break


class ReferenceStarter(AbstractContextManager):
    """Starter of ReferenceCases of one kernel of workflow/peaks/.

    planned  the kernel's cases at one size that can run here

    Cases of one size share their inputs. Cases that differ only in size or parameters share a worker. All cases use the
    verifier of the Bench.
    """

    def __init__(self, bench, kernel):
        config = EffectiveConfig.of(bench.config.config, catalog.load(project.PEAKS / kernel))
        config = replace(config, whole=None)  # so that all backends are planned on all devices
        self._protocol, self.folder = bench.config.protocol, config.kernel
        self._bench = Bench(config, bench.machine, bench.name, results=bench.results)
        self._bench.verifier = bench.verifier
        self._given, self._runners = {}, {}
        possible = [case for case in plan.cases(config, bench.machine) if case.verdict is None]
        self.planned = [case for case in possible if case.problem is possible[0].problem]

    def __exit__(self, *_):
        for given in self._given.values():
            given.close()

    def rivals(self, backend, device, threads):
        """Return a backend's cases on a device with `threads` threads. Their arrays exceed the device's caches."""
        place = backend, device, threads
        return [self.sized(case) for case in self.planned if (case.backend, case.device, case.threads) == place]

    def sized(self, case, size=None):
        """Return a planned case with `size` elements. If `size` is None, the arrays exceed the device's caches."""
        case = replace(case, problem=plan.Problem(case.kernel, {}, size or 1, DTYPE))
        size = size or self._elements_beyond_caches(case)
        return replace(case, problem=replace(case.problem, size=size))

    def start(self, case, *, peak=None):
        """Start a case and return its ReferenceCase, or None if it cannot run. `peak` is as in ReferenceCase."""
        problem = case.problem
        if self._bench.build_failure(self.folder.implementations[case.implementation], case.device):
            return None
        sample_s, runner = self._protocol.sample_s / 2, None
        lasting = {"compute": sample_s, "call": sample_s}
        settings = {"warm_up_s": 0.05, "calls": WARM_CALLS_AGAIN, "known": [], "sample_s": lasting}
        try:
            if problem.id not in self._given:
                self._given[problem.id] = self._bench.given(problem)
            runner = self._runners.get(case.worker)
            if runner is None or not runner.alive:
                runner = self._runners[case.worker] = self._bench.start(case)
            runner.load(problem, self._given[problem.id])
            runner.prepare(case)
            call_s, loops = runner.warm_up(case, settings)["compute"]
            moved = self._bench.footprint.moved(problem)
            return ReferenceCase(case, runner, loops, peak, moved, call_s)
        except Failed as failed:
            log.warning(f"reference {case.id}: {failed}")
            if runner is not None:
                runner.close()
            return None

    def _elements_beyond_caches(self, case):
        """Return a size at which the case's arrays are much larger than the caches of its device."""
        array_bytes = BEYOND * (self._bench.footprint.cache_bytes(case) or 0)
        one, two = (self._bench.footprint.arrays(replace(case.problem, size=size)) for size in (1, 2))
        return int(min(MOST_BYTES, max(LEAST_BYTES, array_bytes)) / (two - one))
