"""Class Case, which adds times, a baseline and speedups to a record, and functions for columns of tables."""

import math
from functools import cached_property
from statistics import fmean
from typing import NamedTuple

from accelbench.analysis import effects
from accelbench.analysis.choosing import Best
from accelbench.analysis.memory import remembered
from accelbench.analysis.peaks import Floor
from accelbench.analysis.priors import DEVICE, DEVICE_10_US, DEVICE_25_US, HOST, MIXED
from accelbench.analysis.samples import Samples, TwoSided, levels
from accelbench.analysis.scatter import Scatter
from accelbench.analysis.verdicts import ITSELF, Comparison
from accelbench.model.parameters import BLOCK_SIZE, DEFAULT_BLOCKS, BlockSize
from accelbench.model.record import case_id
from accelbench.statistics import median

# Fraction of the machine's peak rate above which a case is implausible: its timer probably stopped too early
IMPLAUSIBLE = 1.05
# Ratio of busy cores to threads above which uses_more_cores is true; above 1, since taking samples also uses CPU time
MORE_CORES = 1.1
LAUNCH_BOUND = 0.8  # Minimum ratio of launch time to `compute` time in a launch-bound case
PINNED = "end_to_end_pinned"


class AmortisedTransfer(NamedTuple):
    """Kind of time: mean time per call, if data are copied to the device and back once for all `calls` calls."""

    calls: int


Kind = str | AmortisedTransfer  # Kind of time: a name such as "compute", or an AmortisedTransfer


class Case:
    """One implementation at one problem: a record with its baseline and the other cases of the problem.

    Only cases with the outcome `ok` have times.

    is_base         whether the case is in base (main algorithm of its kernel, strict math, native target);
                    None if this is not recorded
    is_baseline     whether the case's implementation is a possible baseline of the kernel
    baselines       the problem's `ok` cases whose implementation is a possible baseline, fastest first
    baseline        Best of the implementation to which speedups refer: the fastest in `baselines` with several
                    repetitions, or the fastest if none has several. None if `baselines` is empty
    on_accelerator  whether the case runs on a device other than the machine's cores
    scatter         Scatter of the machine
    beside          all cases of the problem, including this case
    floor           Floor: least time of the case at the machine's peak rates
    peak_samples    {repetition: {round: least seconds to move the case's bytes}}, by the bandwidth of that round
    """

    def __init__(self, record, *, is_baseline, on_accelerator, scatter, algorithm=None):
        self.record, self.is_baseline, self.on_accelerator = record, is_baseline, on_accelerator
        self.is_base = record.math and (record.algorithm, record.math, record.target) == (algorithm, "strict", "native")
        self.scatter: Scatter = scatter
        self.id = case_id(record)
        self.ok = record.outcome == "ok"
        self.baselines: list[Case] = []
        self.baseline: Best | None = None
        self.floor = Floor()
        self.peak_samples: Samples = {}
        self.beside, self._levels = [self], {}

    @property
    def is_like(self):
        """Return whether the base ranking includes the case: it is in base and, on cores, has one thread."""
        return bool(self.is_base) and (self.on_accelerator or self.record.threads == 1)

    @cached_property
    def problem(self):
        return self.record.kernel, format_options(self.record.options), self.record.dtype, self.record.size

    @cached_property
    def order(self):
        """Return the case's sort key: problem, implementation, device, threads, parameters."""
        r = self.record
        return (
            *self.problem,
            r.implementation,
            r.device or "",
            r.threads or 0,
            tuple((name, _ordered(value)) for name, value in sorted(r.parameters.items())),
        )

    @property
    def moved_bytes(self):
        """Return the sum of the bytes that the case reads and writes; None if either number is unknown."""
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

    def timing(self, kind):
        """Return the Timing of a kind of time, or of the kind that replaces it; None if the case has neither."""
        return self.record.timings.get(self.timed_as(kind)) if self.ok else None

    def timed_as(self, kind):
        """Return `kind` if it was measured, otherwise the kind of time that replaces `kind`.

        `compute` replaces a missing `throughput`. In a case without `call`, the host's clock measured `compute`, which
        is then the time of a whole call and replaces `call`. In such a case, `compute` also replaces `end_to_end`,
        which is measured only if the implementation converts its inputs. `end_to_end` replaces `end_to_end_pinned`,
        which is measured only if page-locked memory makes a difference. An AmortisedTransfer counts as `throughput`.
        """
        timings = self.record.timings
        if isinstance(kind, AmortisedTransfer):
            kind = "throughput"
        if kind == "end_to_end_pinned" and kind not in timings:
            kind = "end_to_end"
        whole = kind == "throughput" or (kind in ("call", "end_to_end") and "call" not in timings)
        return "compute" if whole and kind not in timings else kind

    @cached_property
    def fraction(self) -> Comparison:
        """Return the ratio of the least time at the machine's peak rates to the case's time; 1 is the peak.

        For a memory-bound case, the ratio is paired by round if `_moving` uses the bandwidth sampled beside the case.
        Otherwise the least time is a constant, and the interval contains only the variation of the case's time. The
        Comparison is empty if the case has no time or no peak is known. It is also empty for a compute-bound case whose
        implementation set the peak rate of operations.
        """
        if self.peak_samples and not self._computes and self._moving == self._moving_beside:
            return self.scatter.compare(self.peak_samples, self.samples("compute"), self.pool("compute", self))
        timing, least = self.timing("compute"), self.floor.computing if self._computes else self._moving
        if not timing or not least or (self._computes and self.floor.own_rate):
            return Comparison()
        ends = reversed(self.interval("compute") or (None, None))
        ratio, low, high = (seconds and least / seconds for seconds in (self.seconds("compute"), *ends))
        return Comparison(ratio, low, high)

    @property
    def _moving(self):
        """Return the least seconds for moving the case's bytes; 0 if no bandwidth is known.

        Two bandwidths may be known: the best of the instance (such as a node), and the bandwidth sampled beside the
        case. On a device, the higher bandwidth counts. On the host, the bandwidth sampled beside the case counts, since
        the host's bandwidth changes.
        """
        beside, shown = self._moving_beside, self.floor.moving
        return min(beside, shown) if self.on_accelerator and beside and shown else beside or shown

    @cached_property
    def _moving_beside(self):
        """Return the least seconds to move the case's bytes at the bandwidth sampled beside it; 0 if unknown."""
        beside = levels(self.peak_samples).values()
        return math.exp(fmean(beside)) if beside else 0.0

    @property
    def _computes(self):
        """Return whether the case is compute-bound: at peak rates, its operations take longer than moving its bytes."""
        return self.floor.computing > self._moving

    @property
    def fraction_of_peak(self):
        """Return the ratio of `fraction`; None if a cache limits the case, since a cache's bandwidth is unknown."""
        by_the_cache = self.record.cache_resident and self.floor.computing <= self.floor.from_memory
        return None if by_the_cache else self.fraction.ratio

    @cached_property
    def implausible(self):
        """Return whether the lower end of the interval of `fraction` exceeds IMPLAUSIBLE; None if `fraction` is empty.

        Without an interval, the ratio is compared with IMPLAUSIBLE. A memory-bound case is plausible if its data fit a
        cache. On a device, a memory-bound case is also plausible if the device moved bytes as fast in another mix of
        reads and writes. The measured peak of the case's mix is too low then.
        """
        least = self.fraction.low or self.fraction.ratio
        if least is None:
            return None
        could = not self._computes and (self.record.cache_resident or self._moves_so_in_any_mix)
        return least > IMPLAUSIBLE and not could

    @property
    def _moves_so_in_any_mix(self):
        """Return whether an accelerator's best bandwidth, in any mix of reads and writes, allows the case's time."""
        seconds = self.seconds("compute") or 0
        return self.on_accelerator and seconds * IMPLAUSIBLE >= self.floor.at_any_mix > 0

    @remembered
    def samples(self, kind) -> Samples:
        """Return {repetition: {round: seconds}} of a kind of time. Omit repetitions without samples."""
        if isinstance(kind, AmortisedTransfer):
            return self._amortised_samples(kind.calls)
        timing = self.timing(kind)
        taken = zip(self.record.repetitions, timing.rounds, timing.samples_s, strict=True) if timing else ()
        made = TwoSided if self.record.unseen and kind in ("compute", "throughput") else dict
        return {name: made(_by_round(rounds, s)) for name, rounds, s in taken if s}

    def _amortised_samples(self, calls) -> Samples:
        """Return samples of the mean time of `calls` calls: one with transfers, the others on resident data."""
        if self.timing(PINNED) is self.timing("throughput"):
            return self.samples("throughput")
        ways, amortised = self.samples(PINNED), {}
        for name, rounds in self.samples("throughput").items():
            if ways.get(name):
                once = median(ways[name].values())
                made = TwoSided if isinstance(rounds, TwoSided) else dict
                amortised[name] = made((n, (once + (calls - 1) * s) / calls) for n, s in rounds.items())
        return amortised

    def levels(self, kind) -> dict[str, float]:
        """Return {repetition: level}. A level is the logarithm of the case's seconds without the effects of rounds.

        The effect of a round is a disturbance that slows all cases of the round. The module `effects` fits one model to
        the problem's cases on cores. It fits another to the cases on accelerators, which have other disturbances.
        """
        if isinstance(kind, AmortisedTransfer):
            once, later = (
                {name: math.exp(level) for name, level in self.levels(way).items()} for way in (PINNED, "throughput")
            )
            totals = {name: once[name] + (kind.calls - 1) * seconds for name, seconds in later.items() if name in once}
            return {name: math.log(seconds / kind.calls) for name, seconds in totals.items()}
        name = self.timed_as(kind)
        if not self.timing(name):
            return {}
        if (self.on_accelerator, name) not in self._levels:
            alike = (
                c
                for c in self.beside
                if c.on_accelerator == self.on_accelerator and c.timing(name) and name in c.record.timings
            )
            fitted = effects.levels({case: case.samples(name) for case in alike})
            self._levels[self.on_accelerator, name] = fitted
        return self._levels[self.on_accelerator, name].get(self, {})

    @remembered
    def seconds(self, kind):
        """Return the case's seconds of a kind of time, computed from `levels`; None if the kind was not measured."""
        return seconds_of(dict.fromkeys(self.record.repetitions, self), kind)

    def interval(self, kind):
        """Return the ends of the 95 % interval of the case's seconds; None if the kind of time was not measured.

        If the case has one repetition, the interval contains no variation between repetitions.
        """
        timing = self.timing(kind)
        by = self.seconds(kind) / timing.median_s if timing else None
        return timing and (timing.ci_low_s * by, timing.ci_high_s * by)

    def pool(self, kind, other=None) -> str:
        """Return the kind of ratio, such as HOST, between the times of this case and `other`.

        If `other` is None, the ratio is between this case and the baseline.
        """
        if not self.on_accelerator and (other is None or not other.on_accelerator):
            return HOST
        if not (other and self.on_accelerator and other.on_accelerator and kind == "compute"):
            return MIXED
        shortest = min(case.seconds("compute") or 0.0 for case in (self, other))
        return DEVICE_10_US if shortest <= 1e-5 else DEVICE_25_US if shortest <= 2.5e-5 else DEVICE

    @remembered
    def speedup(self, kind, best: Best | None = None) -> Comparison:
        """Return the Comparison of the case with the baseline.

        The ratio is the baseline's seconds over the case's seconds. The baseline itself has the ratio 1 and no verdict.
        A case that left the race keeps the `compute` verdict that was recorded when it left.

        best  Best to compare with the baseline instead of the case; `best.case` must be this case
        """
        if self.baseline is None or not self.samples(kind):
            return Comparison()
        if self.baseline.case is self:
            return ITSELF
        samples, seconds = (best.samples, best.seconds) if best else (self.samples(kind), self.seconds(kind))
        compared = self.scatter.compare(self.baseline.samples_of(kind), samples, self.pool(kind))
        slow = seconds_of(self.baseline.chosen, kind) if best else self.baseline.case.seconds(kind)
        comparison = self.around(compared, slow, seconds)
        left = self.record.left if kind == "compute" else None
        return comparison._replace(verdict=left.verdict) if left and comparison.verdict else comparison

    @remembered
    def alone(self, kind) -> Best:
        """Return the Best with this case as the only candidate. The case must have this kind of time."""
        samples = self.samples(kind)
        tie = (self,) if len(samples) > 1 else ()
        return Best(self, kind, samples, dict.fromkeys(samples, self), tie=tie, beside=self.seconds(kind))

    def around(self, compared, slow, fast) -> Comparison:
        """Return the Comparison `compared` of this case with the new ratio `slow` / `fast`, two times in seconds."""
        return self.believed(compared.around(slow and slow / fast, self.scatter.same_within))

    def believed(self, comparison):
        """Return `comparison`, without its verdict if this case is implausible."""
        return comparison._replace(verdict=None) if self.implausible else comparison


def seconds_of(chosen, kind):
    """Return the seconds of a kind of time, as the geometric mean over repetitions; None if no case has this kind.

    The time of an AmortisedTransfer is computed from the times of PINNED and `throughput`, so that the three times on
    a page are consistent.

    chosen  {repetition: case whose seconds in this repetition are used}
    """
    if isinstance(kind, AmortisedTransfer):
        once, later = (seconds_of(chosen, way) for way in (PINNED, "throughput"))
        return once and later and (once + (kind.calls - 1) * later) / kind.calls
    logs = [log_times[name] for name, case in chosen.items() if name in (log_times := case.levels(kind))]
    return math.exp(fmean(logs)) if logs else None


def _by_round(rounds, seconds):
    """Return {round: seconds}. In some results, a round has two samples. Move the second to an earlier free round."""
    samples = {}
    for number, sample in zip(rounds, seconds, strict=True):
        while number in samples:
            number -= 1
        samples[number] = sample
    return samples


def baseline_name(case) -> str | None:
    """Return the name of the case's baseline implementation; None if the case has no baseline."""
    return case.baseline and case.baseline.case.record.implementation


def reference_shift(case):
    """Return the largest relative change in time of the reference cases sampled beside a case; None if unknown."""
    return max((shift for shift in case.record.environment.reference_shift if shift is not None), default=None)


def format_options(options):
    """Return options as text. For example, {"vertices": 24, "width": 100} becomes "vertices=24 width=100"."""
    return " ".join(
        f"{name}={value:.0f}" if value == int(value) else f"{name}={value!r}" for name, value in sorted(options.items())
    )


def format_block_size(case):
    """Return the case's block size, swept or tuned, as text such as "16x16"; None if the case has no block size."""
    block_size = case.record.settings.get(BLOCK_SIZE)
    return None if block_size is None else str(block_size)


def format_parameters(record):
    """Return a record's parameters, swept or tuned, except the block size, as text such as "unroll=4"."""
    return " ".join(f"{name}={value}" for name, value in sorted(record.settings.items()) if name != "block_size")


def parameter_id(case):
    """Return the threads and parameters of a case as text such as "threads=2/block_size=64"; "-" if it has neither."""
    r = case.record
    parts = [] if r.threads is None else [f"threads={r.threads}"]
    return "/".join(parts + [f"{name}={value}" for name, value in sorted(r.parameters.items())]) or "-"


def has_default_block(case):
    """Return whether the case's block size is one of DEFAULT_BLOCKS."""
    return case.record.parameters.get(BLOCK_SIZE) in DEFAULT_BLOCKS


def is_launch_bound(case):
    """Return whether launching takes at least the share LAUNCH_BOUND of `compute`; None without a launch time.

    A case is not launch-bound if the device's clock measured `compute`, since this clock excludes launching.
    """
    launch, record = case.seconds("launch"), case.record
    if launch and {"compute", "throughput"} <= record.timings.keys() and not (record.synchronises or record.unseen):
        return False
    return launch >= LAUNCH_BOUND * case.seconds("compute") if launch else None


def uses_more_cores(record):
    """Return whether the process used over MORE_CORES times as many cores as threads; None if either is unknown."""
    if record.cores_used is None or record.threads is None:
        return None
    return record.cores_used > MORE_CORES * record.threads


def _ordered(value):
    """Return the sort key of a parameter's value. Numbers come first, by value, then block shapes, then words."""
    if isinstance(value, BlockSize):
        return (len(value.extents) > 1, value.extents, "")
    return (0, (value,), "") if isinstance(value, (int, float)) else (2, (), str(value))
