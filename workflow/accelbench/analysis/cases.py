"""Cases side by side with their baselines, and what the columns that tables share say of them."""

import math
from collections import defaultdict
from functools import cached_property
from statistics import fmean
from typing import NamedTuple

from accelbench.analysis import noise
from accelbench.analysis.choosing import Best, choose
from accelbench.analysis.peaks import Floor, PeakRates, peaks
from accelbench.analysis.samples import Samples, TwoSided, levels, log_ratios
from accelbench.analysis.scatter import DEVICE, HOST, MIXED, Scatter, estimate
from accelbench.analysis.verdicts import ITSELF, Comparison
from accelbench.model.parameters import BLOCK_SIZE, DEFAULT_BLOCKS, BlockSize
from accelbench.model.record import case_id, problem_id
from accelbench.statistics import median

# A case that runs faster than this many times its peak, out of memory, was most likely not waited for.
IMPLAUSIBLE = 1.05
MORE_CORES = 1.1  # times as many as it has threads: what starts and ends beside a sample is counted with it
LAUNCH_BOUND = 0.8  # of the time on a device, which launching takes
PINNED = "end_to_end_pinned"


class Kept(NamedTuple):
    """The kind of time of a call whose data stay where they are computed with for so many: the first one of these pays
    for both ways."""

    calls: int


Kind = str | Kept  # of time


class Case:
    """A record as the tables see it. Only `ok` cases have times.

    is_base         whether it is of its kernel's main algorithm, strict and native; None where that is not recorded
    is_baseline     whether its implementation is one of those that its kernel's baseline is chosen among
    baselines       the ok cases of such ones for its problem, fastest first
    baseline        what its speedup is over: the Best of them, or None
    on_accelerator  whether it does not run on the cores that baselines run on
    scatter         how far ratios scatter on its machine
    """

    def __init__(self, record, *, is_baseline, on_accelerator, scatter, algorithm=None):
        self.record, self.is_baseline, self.on_accelerator = record, is_baseline, on_accelerator
        self.is_base = record.math and (record.algorithm, record.math, record.target) == (algorithm, "strict", "native")
        self.scatter: Scatter = scatter
        self.id = case_id(record)
        self.ok = record.outcome == "ok"
        self.baselines: list[Case] = []
        self.baseline: Best | None = None
        self.floor = Floor()  # the least time that the machine's peaks allow
        self.peak_samples: Samples = {}  # what its bytes took the machine at most, in the same rounds
        self._samples = {}

    @cached_property
    def problem(self):
        return self.record.kernel, format_options(self.record.options), self.record.dtype, self.record.size

    @cached_property
    def order(self):
        """Its place among all cases: by problem, implementation, device, threads, parameters."""
        r = self.record
        parameters = tuple((name, _ordered(value)) for name, value in sorted(r.parameters.items()))
        return *self.problem, r.implementation, r.device or "", r.threads or 0, parameters

    @property
    def moved_bytes(self):
        """What it reads and writes; None where one of them is not known."""
        read, written = self.record.bytes_read, self.record.bytes_written
        return None if None in (read, written) else read + written

    @property
    def bandwidth_gb_s(self):
        seconds = self.seconds("compute")
        return self.moved_bytes / seconds / 1e9 if self.moved_bytes and seconds else None

    @property
    def gflop_s(self):
        seconds = self.seconds("compute")
        return self.record.flops / seconds / 1e9 if self.record.flops and seconds else None

    @property
    def has_rival_baseline(self):
        """Whether there is a baseline to overtake: one with a time, that is another implementation."""
        return self.baseline is not None and not self.is_baseline

    @property
    def baseline_same_threads(self):
        threads = self.record.threads
        return next((b for b in self.baselines if threads is not None and b.record.threads == threads), None)

    def timing(self, kind):
        """Its Timing of this kind, or None.

        Without a `call` of its own the host clock timed it: `compute` is then a whole call, and all there is from end
        to end unless the implementation converts its inputs. Where nothing is gained by page-locked memory, from end to
        end is what it is without. Without a `throughput` of its own `compute` is that of calls in a row.
        """
        timings = self.record.timings if self.ok else {}
        if isinstance(kind, Kept):
            kind = "throughput"
        if kind == "end_to_end_pinned" and kind not in timings:
            kind = "end_to_end"
        if kind in ("call", "end_to_end") and kind not in timings and "call" not in timings:
            kind = "compute"
        if kind == "throughput" and kind not in timings:
            kind = "compute"
        return timings.get(kind)

    @cached_property
    def fraction(self) -> Comparison:
        """How near it comes to the machine's peak: paired by round with the peak that was sampled beside it; where none
        was, a device has shown a better one, or its operations take longer, by its own time and that time's interval
        against the best that the instance has shown. Nothing of operations at the rate that it set by itself."""
        if self.peak_samples and not self._computes and self._moving == self._moving_beside:
            return self.scatter.compare(self.peak_samples, self.samples("compute"), self.pool("compute", self))
        timing, least = self.timing("compute"), self.floor.computing if self._computes else self._moving
        if not timing or not least or (self._computes and self.floor.own_rate):
            return Comparison()
        return Comparison(*(s and least / s for s in (timing.median_s, timing.ci_high_s, timing.ci_low_s)))

    @property
    def _moving(self):
        """The seconds that moving its bytes takes the machine at least. What a device has shown once it can do again;
        the host's memory may be another by then."""
        beside, shown = self._moving_beside, self.floor.moving
        return min(beside, shown) if self.on_accelerator and beside and shown else beside or shown

    @cached_property
    def _moving_beside(self):
        """The same by the peak that was sampled beside it; 0 where none was."""
        beside = levels(self.peak_samples).values()
        return math.exp(fmean(beside)) if beside else 0.0

    @property
    def _computes(self):
        """Whether its operations take the machine longer than its bytes, so that they say how fast it can be."""
        return self.floor.computing > self._moving

    @property
    def fraction_of_peak(self):
        """The ratio of `fraction`; None of data in a cache where operations are not what takes the time: how near it
        comes to what the cache allows is not known."""
        by_the_cache = self.record.cache_resident and self.floor.computing <= self.floor.from_memory
        return None if by_the_cache else self.fraction.ratio

    @property
    def implausible(self):
        """Whether it is faster than the machine can be, for all that its interval leaves open; None where no peak
        says. Memory of a device that moves bytes faster in another mix of reads and writes can do so in this one: there
        the program that reads or writes alone was not the fastest there is."""
        least = self.fraction.low or self.fraction.ratio
        if least is None:
            return None
        could = not self._computes and (self.record.cache_resident or self._moves_so_in_any_mix)
        return least > IMPLAUSIBLE and not could

    @property
    def _moves_so_in_any_mix(self):
        """Whether its device was seen to move bytes as fast as it, whatever it read and wrote."""
        seconds = self.seconds("compute") or 0
        return self.on_accelerator and seconds * IMPLAUSIBLE >= self.floor.at_any_mix > 0

    def samples(self, kind) -> Samples:
        """{repetition: {round: seconds}}; without repetitions that hold no sample."""
        if isinstance(kind, Kept):
            return self._kept(kind.calls)
        if kind not in self._samples:
            timing = self.timing(kind)
            taken = zip(self.record.repetitions, timing.rounds, timing.samples_s, strict=True) if timing else ()
            made = TwoSided if self.record.unseen and kind in ("compute", "throughput") else dict
            self._samples[kind] = {name: made(_by_round(rounds, s)) for name, rounds, s in taken if s}
        return self._samples[kind]

    def _kept(self, calls) -> Samples:
        """The samples of calls with data at hand, each with its share of the way there and back."""
        if self.timing(PINNED) is self.timing("throughput"):
            return self.samples("throughput")
        ways, found = self.samples(PINNED), {}
        for name, rounds in self.samples("throughput").items():
            if ways.get(name):
                once = median(ways[name].values())
                made = TwoSided if isinstance(rounds, TwoSided) else dict
                found[name] = made((n, (once + (calls - 1) * s) / calls) for n, s in rounds.items())
        return found

    def times(self, kind) -> dict[str, float]:
        """{repetition: median seconds}."""
        return {name: median(rounds.values()) for name, rounds in self.samples(kind).items()}

    def seconds(self, kind):
        timing = self.timing(kind)
        return None if timing is None else timing.median_s

    def pool(self, kind, other=None) -> str:
        """What kind of times are divided where it is compared with `other`, the baseline where None."""
        if not self.on_accelerator and (other is None or not other.on_accelerator):
            return HOST
        return DEVICE if other and self.on_accelerator and other.on_accelerator and kind == "compute" else MIXED

    def speedup(self, kind, samples=None) -> Comparison:
        """Comparison with the baseline, of its own samples or of others; of the baseline with itself 1, without a
        verdict."""
        if self.baseline is None or not self.samples(kind):
            return Comparison()
        if self.baseline.case is self:
            return ITSELF
        return self.compared_with(self.baseline.samples_of(kind), kind, samples)

    def speedup_same_threads(self, kind) -> Comparison:
        """The same with the fastest baseline of as many threads, where there is one."""
        other = self.baseline_same_threads
        if other is None or not self.samples(kind):
            return Comparison()
        return ITSELF if other is self else self.compared_with(other.samples(kind), kind)

    def compared_with(self, other: Samples, kind, samples: Samples | None = None) -> Comparison:
        """How many times as fast it is as something of the machine's cores with these samples."""
        return self.believed(self.scatter.compare(other, samples or self.samples(kind), self.pool(kind)))

    def believed(self, comparison):
        """A Comparison of this case with another: what is implausible is neither faster nor slower than anything."""
        return comparison._replace(verdict=None) if self.implausible else comparison


def _by_round(rounds, seconds):
    """{round: seconds}. Of two in one round, as calls before the first are in some results, one counts as of a round
    before."""
    found = {}
    for number, each in zip(rounds, seconds, strict=True):
        while number in found:
            number -= 1
        found[number] = each
    return found


def gather(results):
    """Every Case of a machine in the order of the tables, each knowing its baseline."""
    baselines = {kernel: metadata.all_baselines for kernel, metadata in results.kernels.items()}
    scatter = Scatter()
    cases = [
        Case(
            record,
            algorithm=next(iter(results.kernels[record.kernel].algorithms), None),
            is_baseline=record.implementation in baselines[record.kernel],
            on_accelerator=record.device not in results.machine.host_devices,
            scatter=scatter,
        )
        for record in noise.judged(results)
    ]
    cases.sort(key=lambda case: case.order)
    problems = defaultdict(list)
    for case in cases:
        problems[case.problem].append(case)
    for several in problems.values():
        _choose_baseline(several)
    measured = _scatter(results, problems.values())
    _set_floors(cases, results)
    for case in cases:
        case.scatter = measured
        case.peak_samples = _peak_samples(case, results)
    return cases


def _set_floors(cases, results):
    """Tell cases what the peaks of the instance of the machine that they were measured on allow; what was measured on
    several is held against no peak but those beside it."""
    on = defaultdict(list)
    for case in cases:
        instances = {results.instances.get(repetition, "") for repetition in case.record.repetitions}
        if len(instances) == 1:
            on[instances.pop()].append(case)
    for own in on.values():
        rates = PeakRates(peaks(own), results.machine.host_devices)
        for case in own:
            case.floor = rates.floor(case.record)


def _peak_samples(case, results):
    """{repetition: {round: seconds that the machine needs at least for the case's bytes}}, where that was sampled."""
    r, found = case.record, {}
    problem = problem_id(r.kernel, options=r.options, size=r.size, dtype=r.dtype)
    where = (r.device, None) if case.on_accelerator else ("cpu", r.threads)
    for repetition in case.samples("compute"):
        watched = results.watched.get((repetition, problem))
        for peak in watched.peaks if watched else ():
            if (peak.device, peak.threads) == where:
                share = ((r.bytes_read or 0) + (r.bytes_written or 0)) / peak.moved_bytes
                found[repetition] = {n: share * s for n, s in zip(peak.rounds, peak.samples_s, strict=True)}
    return found


def _choose_baseline(cases):
    """Tell the cases of a problem which baselines it has, and which they are compared with."""
    baselines = [case for case in cases if case.is_baseline and case.samples("compute")]
    baselines.sort(key=lambda case: case.seconds("compute"))
    best = choose({case: case.samples("compute") for case in baselines})
    for case in cases:
        case.baselines = baselines
        case.baseline = best


def _scatter(results, problems):
    """The Scatter of a machine: of every case's ratio to its baseline, of devices' to the first one's there."""
    pools = {HOST: [], DEVICE: [], MIXED: []}
    for cases in problems:
        timed = [case for case in cases if case.samples("compute")]
        device = next((case for case in timed if case.on_accelerator), None)
        for case in timed:
            if case.baseline and case is not case.baseline.case:
                pools[case.pool("compute")].append(_beside_another(case))
            if device and case.on_accelerator and device is not case:
                pools[DEVICE].append(log_ratios(device.samples("compute"), case.samples("compute")))
    machine = results.machine
    gpu = any(not device.on_host for device in machine.devices)
    known = {"batches": results.batches, "instances": results.instances}
    return estimate(pools, virtualised=bool(machine.virtualised), gpu=gpu, **known)


def _beside_another(case):
    """The log ratios of a case to its baseline where that is another: by itself it is 1, however far times scatter."""
    logs = log_ratios(case.baseline.samples, case.samples("compute"))
    return {name: value for name, value in logs.items() if case.baseline.chosen[name] is not case}


def baseline_name(case) -> str | None:
    """The implementation that all repetitions together choose for what speedups of the case's problem are over."""
    return case.baseline and case.baseline.case.record.implementation


def reference_shift(case):
    """How far the references beside it moved most."""
    return max((shift for shift in case.record.environment.reference_shift if shift is not None), default=None)


def format_options(options):
    """{"vertices": 24, "width": 100} -> "vertices=24 width=100"."""
    return " ".join(
        f"{name}={value:.0f}" if value == int(value) else f"{name}={value!r}" for name, value in sorted(options.items())
    )


def format_block_size(case):
    """Its block size, swept or tuned, as text: "16x16"; None where it has none."""
    block_size = case.record.settings.get(BLOCK_SIZE)
    return None if block_size is None else str(block_size)


def format_parameters(record):
    """Parameters other than the block size: "unroll=4"."""
    parameters = sorted(record.settings.items())
    return " ".join(f"{name}={value}" for name, value in parameters if name != "block_size")


def parameter_id(case):
    """The part of a case's name that tells it from the others of its implementation: "threads=2/block_size=64"."""
    r = case.record
    parts = [] if r.threads is None else [f"threads={r.threads}"]
    return "/".join(parts + [f"{name}={value}" for name, value in sorted(r.parameters.items())]) or "-"


def has_default_block(case):
    """Whether its block size is one of DEFAULT_BLOCKS."""
    return case.record.parameters.get(BLOCK_SIZE) in DEFAULT_BLOCKS


def is_launch_bound(case):
    """Whether its `compute` is what launching takes the host, whatever the device could do: of calls as fast as the
    host makes them, which takes it about as long as the device needs. None for what is not launched."""
    launch, record = case.seconds("launch"), case.record
    if launch and {"compute", "throughput"} <= record.timings.keys() and not (record.synchronises or record.unseen):
        return False
    return launch >= LAUNCH_BOUND * case.seconds("compute") if launch else None


def uses_more_cores(record):
    """Whether its process kept more cores busy than it has threads; None where the host does not compute."""
    if record.cores_used is None or record.threads is None:
        return None
    return record.cores_used > MORE_CORES * record.threads


def _ordered(value):
    """A parameter's value so that 64 comes before 128 and numbers, shapes and words do not meet."""
    if isinstance(value, BlockSize):
        return (len(value.extents) > 1, value.extents, "")
    return (0, (value,), "") if isinstance(value, (int, float)) else (2, (), str(value))
