"""What is sampled in the rounds beside the cases: references that notice when the machine changes, and peaks, what it
can do at most at that moment."""

import logging
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import product

from accelbench import project
from accelbench.environments.placement import place
from accelbench.kernels import catalog
from accelbench.measure import plan
from accelbench.measure.bench import WARM_CALLS_AGAIN, Bench
from accelbench.measure.case_runner import CaseRunner
from accelbench.model.entry import TimedSamples
from accelbench.model.watched import BANDWIDTHS, PREFIX, PeakSamples, WatchedProblem, is_peak
from accelbench.rpc.messages import WarmUpSettings
from accelbench.rpc.process import Failed

CACHED = 100_000  # elements that fit a cache of a core's own
LARGE = 4_000_000  # elements that need what all cores share, memory mostly
BEYOND = 8  # times the cache that a peak's arrays have in all
LEAST_BYTES, MOST_BYTES = 160e6, 800e6  # of them, however small or large the cache
DTYPE, ITEM_BYTES = "float64", 8
ON_DEVICE = "copy"  # the peak that is a device's reference, where no other is sampled there

log = logging.getLogger("accelbench")


@dataclass(eq=False)
class Companion:
    """A case of workflow/peaks that its CaseRunner has made ready and warm.

    peak         which of BANDWIDTHS it shows; None for a reference on the host
    moved_bytes  by one call
    call_s       of a call, as it warmed up
    """

    case: plan.PlannedCase
    runner: CaseRunner
    loops: int
    peak: str | None = None
    moved_bytes: float = 0.0
    call_s: float = 0.0
    samples: dict[int, float] = field(default_factory=dict)

    def sample(self, number):
        """Take a sample in the round of that number; a companion that failed stays silent."""
        try:
            self.samples[number] = self.runner.sample(self.case, {"compute": self.loops})["compute"]
        except Failed:
            self.runner.close()

    @property
    def taken(self):
        return {"samples_s": list(self.samples.values()), "rounds": list(self.samples), "loops": self.loops}


class Watch:
    """The Companions of a Bench."""

    def __init__(self, bench, companions):
        self._bench, self._companions, self._peaks = bench, companions, []

    def begin(self, cases):
        """(references, peaks) that are sampled beside the cases of a problem, without samples yet.

        Peaks, which exceed the caches, are references as well; for devices without one, and for the memory of the host
        where its cases need more than a core's caches, there are others.
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
        """The WatchedProblem of a problem whose rounds are over."""
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
    """{name: {(device, threads)}} of the peaks that cases are held against whose problems leave the cache."""
    wanted = {}
    for case in cases:
        read, written, _ = (amount or 0.0 for amount in bench.footprint.cost(case.problem))
        if read + written and not bench.footprint.resident(case) and not is_peak(bench.folder.name):
            share = read / (read + written)
            name = min(BANDWIDTHS, key=lambda name: abs(BANDWIDTHS[name] - share))
            on_host = bench.device(case).on_host
            wanted.setdefault(name, set()).add(("cpu", case.threads) if on_host else (case.device, None))
    return wanted


def _devices(bench, cases):
    """The names of the devices of cases that are not the host's cores."""
    return {case.device for case in cases if not bench.device(case).on_host}


def _need_memory(bench, cases):
    """Whether any case on the host's cores touches far more in a call than the reference in a cache does."""
    sets = (bench.footprint.working_set(case.problem) for case in cases if bench.device(case).on_host)
    return max(sets, default=0) > 2 * CACHED * ITEM_BYTES


@contextmanager
def watching(bench, cases, earlier=()):
    """The Watch over these cases of a Bench, which needs none where there are none; its workers are gone afterwards.

    earlier  WatchedProblems of the same instance of the machine, which know what is fastest there
    """
    companions, known = [], {peak.case for watched in earlier for peak in watched.peaks}
    try:
        with bench.steps.step("start references"):
            if cases:
                wanted = _wanted_peaks(bench, cases)
                unwatched = _devices(bench, cases) - {device for places in wanted.values() for device, _ in places}
                wanted.setdefault(ON_DEVICE, set()).update((device, None) for device in unwatched)
                sizes = [CACHED, LARGE] if _need_memory(bench, cases) else [CACHED]
                tasks = [partial(_start_references, bench, companions, sizes)]
                tasks += [
                    partial(_start_peaks, bench, name, places=places, known=known, companions=companions)
                    for name, places in sorted(wanted.items())
                    if places
                ]
                with ThreadPoolExecutor(len(tasks)) as pool:
                    list(pool.map(lambda task: task(), tasks))
        yield Watch(bench, companions)
    finally:
        for companion in companions:
            companion.runner.close()


def _start_references(bench, companions, sizes):
    """The read bandwidth of data in a cache, on one and on all threads; of those of other sizes, on one."""
    with _Starter(bench, "peak_read") as starter:
        chosen = [(starter.implementations[starter.folder.spec.baseline], 1, size) for size in sizes]
        parallel = [i for i in starter.implementations.values() if i.backend == "cffi" and i.threads]
        chosen += [(implementation, bench.machine.cpu.available, CACHED) for implementation in parallel[:1]]
        for implementation, threads, size in chosen:
            block, *_ = _parameters(implementation)
            companions += filter(
                None, [starter.start(starter.case(implementation, "cpu", threads, block=block, size=size))]
            )


def _start_peaks(bench, name, *, places, known, companions):
    """A peak on each of `places`, (device, threads), by what is fastest there of the first backend that runs there: the
    one whose id is among the `known`, or else the fastest of all as they warm up."""
    with _Starter(bench, PREFIX + name) as starter:
        for device, threads in sorted(places, key=str):
            for backend in ("cffi", "numba") if device == "cpu" else ("cupy", "pyopencl"):
                rivals = starter.rivals(backend, device, threads)
                chosen = [case for case in rivals if case.id in known] or rivals
                if found := list(filter(None, (starter.start(case, peak=name) for case in chosen))):
                    fastest = min(found, key=lambda companion: companion.call_s)
                    for runner in {companion.runner for companion in found} - {fastest.runner}:
                        runner.close()
                    companions.append(fastest)
                    break


def _parameters(implementation):
    """Each combination of the values that an implementation gives its parameters itself."""
    own = {name: values for name, values in implementation.parameters.items() if values}
    return [dict(zip(own, chosen, strict=True)) for chosen in product(*own.values())]


class _Starter:
    """Starts Companions of one kernel of workflow/peaks/; those of one size share their inputs, those that differ by
    their size alone their worker."""

    def __init__(self, bench, kernel):
        places = bench.config.config.places
        config = replace(bench.config, kernel=place(places, catalog.load(project.PEAKS / kernel)))
        self._protocol, self.folder = bench.config.protocol, config.kernel
        self._bench = Bench(config, bench.machine, bench.name, results=bench.results)
        self._given, self._runners = {}, {}

    @property
    def implementations(self):
        return self.folder.implementations

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for given in self._given.values():
            given.close()
        self._bench.verifier.close()

    def rivals(self, backend, device, threads):
        """The cases of a backend's implementations, each with each of its parameters, that exist for a device."""
        found = []
        for implementation in self.implementations.values():
            there = self._bench.machine.found[implementation.environment, implementation.backend].devices
            if implementation.backend == backend and device in {known.name for known in there}:
                found += [
                    self.case(implementation, device, threads, block=block) for block in _parameters(implementation)
                ]
        return found

    def case(self, implementation, device, threads, *, block, size=None):
        """One of so many elements, or, where None, beyond its device's caches."""
        problem = plan.Problem(self.folder.name, {}, 1, DTYPE)
        case = plan.PlannedCase(problem, implementation.name, implementation.backend, device, threads, block)
        case = replace(case, environment=implementation.environment)
        return replace(case, problem=replace(problem, size=size or self._elements_beyond_caches(case)))

    def start(self, case, *, peak=None):
        """A Companion for a case, a reference or the `peak` of that name, or None where it cannot run."""
        problem = case.problem
        if self._bench.build_failure(self.implementations[case.implementation], case.device):
            return None
        sample_s, runner = self._protocol.sample_s / 2, None
        lasting = {"compute": sample_s, "call": sample_s}
        settings = WarmUpSettings(warm_up_s=0.05, calls=WARM_CALLS_AGAIN, known=[], sample_s=lasting)
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
            return Companion(case, runner, loops, peak, moved, call_s)
        except Failed as failed:
            log.warning(f"reference {case.id}: {failed}")
            if runner is not None:
                runner.close()
            return None

    def _elements_beyond_caches(self, case):
        """So many that the arrays of a case, whatever its problem's size is here, exceed its device's caches by far."""
        wanted = BEYOND * (self._bench.footprint.cache_bytes(case) or 0)
        one, two = (self._bench.footprint.arrays(replace(case.problem, size=size)) for size in (1, 2))
        return int(min(MOST_BYTES, max(LEAST_BYTES, wanted)) / (two - one))
