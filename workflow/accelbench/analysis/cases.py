"""Case: a record with its times, its baseline and its speedups, and functions for columns that tables share."""

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

# Fraction of the machine's peak above which a time is implausible: most likely, the call was not waited for
IMPLAUSIBLE = 1.05
MORE_CORES = 1.1  # Ratio of busy cores to threads above which a case uses more cores; samples' overhead counts, too
LAUNCH_BOUND = 0.8  # Share of `compute` that launching takes, from which a case is launch-bound
PINNED = "end_to_end_pinned"


class AmortisedTransfer(NamedTuple):
    """Kind of time: mean time of a call if data are copied to the device and back once for a number of calls."""

    calls: int


Kind = str | AmortisedTransfer  # Kind of time


class Case:
    """A record with its baseline and the cases measured beside it. Only cases with the outcome `ok` have times.

    is_base         whether it has its kernel's main algorithm, strict and native; None if this is not recorded
    is_baseline     whether its implementation is one of the kernel's possible baselines
    baselines       `ok` cases of possible baselines for its problem, fastest first
    baseline        the Best of these, over which its speedup is; None if there is none
    on_accelerator  whether it runs on a device other than the machine's cores
    scatter         Scatter of ratios on its machine
    beside          all cases of its problem, including itself
    floor           Floor of its time by the machine's peaks
    peak_samples    {repetition: {round: least seconds for its bytes}} by the peak that was sampled in the same rounds
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
        """Return whether it takes part in the base ranking: it is in base, and on cores it has one thread."""
        return bool(self.is_base) and (self.on_accelerator or self.record.threads == 1)

    @cached_property
    def problem(self):
        return self.record.kernel, format_options(self.record.options), self.record.dtype, self.record.size

    @cached_property
    def order(self):
        """Return its sort key: problem, implementation, device, threads, parameters."""
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
        """Return the number of bytes that it reads and writes; None if either is unknown."""
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
        """Return its Timing of a kind of time, or None."""
        return self.record.timings.get(self.timed_as(kind)) if self.ok else None

    def timed_as(self, kind):
        """Return the kind of time that was measured in place of `kind`.

        A case without `call` was timed by the host's clock. Its `compute` is a whole call. It is also its `end_to_end`
        unless the implementation converts its inputs. `end_to_end` replaces a missing `end_to_end_pinned`, since
        page-locked memory makes no difference then. `compute` replaces a missing `throughput`.
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
        """Return the ratio of the least time by the machine's peak to its time: 1 means that it reaches the peak.

        The ratio is paired by round if the peak was sampled beside the case and limits it. Otherwise it is the least
        time by the best rates of the instance over the case's time, with the interval of that time. The Comparison is
        empty if no peak is known, or if operations limit the case and its own implementation set their peak rate.
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
        """Return the least seconds for moving its bytes; 0 if no peak is known.

        On a device the best bandwidth of the instance counts. On the host the bandwidth beside the case comes first,
        since that of the host's memory changes.
        """
        beside, shown = self._moving_beside, self.floor.moving
        return min(beside, shown) if self.on_accelerator and beside and shown else beside or shown

    @cached_property
    def _moving_beside(self):
        """Return the least seconds by the peak that was sampled beside it; 0 if none was sampled."""
        beside = levels(self.peak_samples).values()
        return math.exp(fmean(beside)) if beside else 0.0

    @property
    def _computes(self):
        """Return whether operations limit it: at the peaks they take longer than moving its bytes."""
        return self.floor.computing > self._moving

    @property
    def fraction_of_peak(self):
        """Return the ratio of `fraction`; None if the bandwidth of a cache limits the case, since it is unknown."""
        by_the_cache = self.record.cache_resident and self.floor.computing <= self.floor.from_memory
        return None if by_the_cache else self.fraction.ratio

    @cached_property
    def implausible(self):
        """Return whether it is faster than the machine can be, by the lower end of its interval; None without a peak.

        A time limited by memory is plausible if its data fit a cache. On a device it is also plausible if the device
        moved bytes as fast in another mix of reads and writes: the peak of this mix was not the maximum then.
        """
        least = self.fraction.low or self.fraction.ratio
        if least is None:
            return None
        could = not self._computes and (self.record.cache_resident or self._moves_so_in_any_mix)
        return least > IMPLAUSIBLE and not could

    @property
    def _moves_so_in_any_mix(self):
        """Return whether its device moved bytes as fast as it in any mix of reads and writes."""
        seconds = self.seconds("compute") or 0
        return self.on_accelerator and seconds * IMPLAUSIBLE >= self.floor.at_any_mix > 0

    @remembered
    def samples(self, kind) -> Samples:
        """Return {repetition: {round: seconds}}, without repetitions that have no sample."""
        if isinstance(kind, AmortisedTransfer):
            return self._amortised_samples(kind.calls)
        timing = self.timing(kind)
        taken = zip(self.record.repetitions, timing.rounds, timing.samples_s, strict=True) if timing else ()
        made = TwoSided if self.record.unseen and kind in ("compute", "throughput") else dict
        return {name: made(_by_round(rounds, s)) for name, rounds, s in taken if s}

    def _amortised_samples(self, calls) -> Samples:
        """Return the samples of calls on resident data, each with its share of the transfers there and back."""
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
        """Return {repetition: logarithm of its seconds} without the effects of rounds; see `effects`.

        The model is fitted to all cases of the problem on cores, or to all on accelerators. Disturbances of cores and
        of accelerators are independent.
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
        """Return its seconds of a kind of time by the model of `levels`; None if it has none."""
        return seconds_of(dict.fromkeys(self.record.repetitions, self), kind)

    def interval(self, kind):
        """Return the ends of the 95 % interval of its seconds. That of a single repetition describes it alone."""
        timing = self.timing(kind)
        by = self.seconds(kind) / timing.median_s if timing else None
        return timing and (timing.ci_low_s * by, timing.ci_high_s * by)

    def pool(self, kind, other=None) -> str:
        """Return the kind of the ratio of its time to that of `other`; None stands for the baseline."""
        if not self.on_accelerator and (other is None or not other.on_accelerator):
            return HOST
        if not (other and self.on_accelerator and other.on_accelerator and kind == "compute"):
            return MIXED
        shortest = min(case.seconds("compute") or 0.0 for case in (self, other))
        return DEVICE_10_US if shortest <= 1e-5 else DEVICE_25_US if shortest <= 2.5e-5 else DEVICE

    @remembered
    def speedup(self, kind, best: Best | None = None) -> Comparison:
        """Return the Comparison of its time, or of that of a Best, with the baseline.

        The ratio is the quotient of the two times. The baseline itself has the ratio 1 and no verdict.
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
        """Return the Best of this case alone. It must have this kind of time."""
        samples = self.samples(kind)
        tie = (self,) if len(samples) > 1 else ()
        return Best(self, kind, samples, dict.fromkeys(samples, self), tie=tie, beside=self.seconds(kind))

    def around(self, compared, slow, fast) -> Comparison:
        """Return a Comparison of this case with another, moved to the quotient of two times."""
        return self.believed(compared.around(slow and slow / fast, self.scatter.same_within))

    def believed(self, comparison):
        """Return a Comparison of this case with another, without a verdict if this case is implausible."""
        return comparison._replace(verdict=None) if self.implausible else comparison


def seconds_of(chosen, kind):
    """Return the seconds of the cases that were chosen in each repetition; None if none has this kind of time.

    Those of an AmortisedTransfer follow from the seconds of its two kinds of time, which pages show elsewhere.
    """
    if isinstance(kind, AmortisedTransfer):
        once, later = (seconds_of(chosen, way) for way in (PINNED, "throughput"))
        return once and later and (once + (kind.calls - 1) * later) / kind.calls
    logs = [log_times[name] for name, case in chosen.items() if name in (log_times := case.levels(kind))]
    return math.exp(fmean(logs)) if logs else None


def _by_round(rounds, seconds):
    """Return {round: seconds}. If a round has two samples, as in some results, one gets an earlier free number."""
    samples = {}
    for number, sample in zip(rounds, seconds, strict=True):
        while number in samples:
            number -= 1
        samples[number] = sample
    return samples


def baseline_name(case) -> str | None:
    """Return the implementation of the baseline that all repetitions together choose, or None."""
    return case.baseline and case.baseline.case.record.implementation


def reference_shift(case):
    """Return the largest shift of the reference cases beside it, or None."""
    return max((shift for shift in case.record.environment.reference_shift if shift is not None), default=None)


def format_options(options):
    """Return {"vertices": 24, "width": 100} as "vertices=24 width=100"."""
    return " ".join(
        f"{name}={value:.0f}" if value == int(value) else f"{name}={value!r}" for name, value in sorted(options.items())
    )


def format_block_size(case):
    """Return its block size, swept or tuned, as text: "16x16"; None if it has none."""
    block_size = case.record.settings.get(BLOCK_SIZE)
    return None if block_size is None else str(block_size)


def format_parameters(record):
    """Return the parameters other than the block size as text: "unroll=4"."""
    return " ".join(f"{name}={value}" for name, value in sorted(record.settings.items()) if name != "block_size")


def parameter_id(case):
    """Return the part of a case's name with its threads and parameters: "threads=2/block_size=64"."""
    r = case.record
    parts = [] if r.threads is None else [f"threads={r.threads}"]
    return "/".join(parts + [f"{name}={value}" for name, value in sorted(r.parameters.items())]) or "-"


def has_default_block(case):
    """Return whether its block size is one of DEFAULT_BLOCKS."""
    return case.record.parameters.get(BLOCK_SIZE) in DEFAULT_BLOCKS


def is_launch_bound(case):
    """Return whether launching takes at least LAUNCH_BOUND of its `compute`; None if it has no launch time.

    It is not launch-bound if the device itself timed `compute`, which then excludes launching.
    """
    launch, record = case.seconds("launch"), case.record
    if launch and {"compute", "throughput"} <= record.timings.keys() and not (record.synchronises or record.unseen):
        return False
    return launch >= LAUNCH_BOUND * case.seconds("compute") if launch else None


def uses_more_cores(record):
    """Return whether its process kept more cores busy than it has threads; None if the host does not compute."""
    if record.cores_used is None or record.threads is None:
        return None
    return record.cores_used > MORE_CORES * record.threads


def _ordered(value):
    """Return the sort key of a parameter's value: 64 comes before 128, and numbers, shapes and words stay apart."""
    if isinstance(value, BlockSize):
        return (len(value.extents) > 1, value.extents, "")
    return (0, (value,), "") if isinstance(value, (int, float)) else (2, (), str(value))
