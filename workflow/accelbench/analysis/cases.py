"""Cases side by side with their baselines, and what the columns that tables share say of them."""

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

# A case that runs faster than this many times its peak, out of memory, was most likely not waited for.
IMPLAUSIBLE = 1.05
MORE_CORES = 1.1  # times as many as it has threads: what starts and ends beside a sample is counted with it
LAUNCH_BOUND = 0.8  # of the time on a device, which launching takes
PINNED = "end_to_end_pinned"


class AmortisedTransfer(NamedTuple):
    """The kind of time of a call whose data stay where they are computed with for so many: the first one of these pays
    for both ways."""

    calls: int


Kind = str | AmortisedTransfer  # of time


class Case:
    """A record as the tables see it. Only `ok` cases have times.

    is_base         whether it is of its kernel's main algorithm, strict and native; None where that is not recorded
    is_baseline     whether its implementation is one of those that its kernel's baseline is chosen among
    baselines       the ok cases of such ones for its problem, fastest first
    baseline        what its speedup is over: the Best of them, or None
    on_accelerator  whether it does not run on the cores that baselines run on
    scatter         how far ratios scatter on its machine
    beside          all cases of its problem, itself among them
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
        self.beside, self._levels = [self], {}

    @property
    def is_like(self):
        """Return whether it compares backends: it is in its kernel's base class, with one thread on cores."""
        return bool(self.is_base) and (self.on_accelerator or self.record.threads == 1)

    @cached_property
    def problem(self):
        return self.record.kernel, format_options(self.record.options), self.record.dtype, self.record.size

    @cached_property
    def order(self):
        """Its place among all cases: by problem, implementation, device, threads, parameters."""
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

    def timing(self, kind):
        """Its Timing of this kind, or None."""
        return self.record.timings.get(self.timed_as(kind)) if self.ok else None

    def timed_as(self, kind):
        """The kind of time that stands for another.

        Without a `call` of its own the host clock timed it: `compute` is then a whole call, and all there is from end
        to end unless the implementation converts its inputs. Where nothing is gained by page-locked memory, from end to
        end is what it is without. Without a `throughput` of its own `compute` is that of calls in a row.
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
        """How near it comes to the machine's peak: paired by round with the peak that was sampled beside it; where none
        was, a device has shown a better one, or its operations take longer, by its own time and that time's interval
        against the best that the instance has shown. Nothing of operations at the rate that it set by itself."""
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

    @cached_property
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

    @remembered
    def samples(self, kind) -> Samples:
        """{repetition: {round: seconds}}; without repetitions that hold no sample."""
        if isinstance(kind, AmortisedTransfer):
            return self._kept(kind.calls)
        timing = self.timing(kind)
        taken = zip(self.record.repetitions, timing.rounds, timing.samples_s, strict=True) if timing else ()
        made = TwoSided if self.record.unseen and kind in ("compute", "throughput") else dict
        return {name: made(_by_round(rounds, s)) for name, rounds, s in taken if s}

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

    def levels(self, kind) -> dict[str, float]:
        """{repetition: logarithm of its seconds}, by one model of all that was sampled beside it; see effects. Cores
        and accelerators have moods of their own."""
        if isinstance(kind, AmortisedTransfer):
            once, later = (
                {name: math.exp(level) for name, level in self.levels(way).items()} for way in (PINNED, "throughput")
            )
            each = {name: once[name] + (kind.calls - 1) * seconds for name, seconds in later.items() if name in once}
            return {name: math.log(seconds / kind.calls) for name, seconds in each.items()}
        name = self.timed_as(kind)
        if not self.timing(name):
            return {}
        if (self.on_accelerator, name) not in self._levels:
            alike = (
                c
                for c in self.beside
                if c.on_accelerator == self.on_accelerator and c.timing(name) and name in c.record.timings
            )
            found = effects.levels({case: case.samples(name) for case in alike})
            self._levels[self.on_accelerator, name] = found
        return self._levels[self.on_accelerator, name].get(self, {})

    @remembered
    def seconds(self, kind):
        """Its seconds of a kind of time by that model; None where it has none."""
        return seconds_of(dict.fromkeys(self.record.repetitions, self), kind)

    def interval(self, kind):
        """The ends of the 95 % interval of its seconds; of one repetition those within that one."""
        timing = self.timing(kind)
        by = self.seconds(kind) / timing.median_s if timing else None
        return timing and (timing.ci_low_s * by, timing.ci_high_s * by)

    def pool(self, kind, other=None) -> str:
        """What kind of times are divided where it is compared with `other`, the baseline where None."""
        if not self.on_accelerator and (other is None or not other.on_accelerator):
            return HOST
        if not (other and self.on_accelerator and other.on_accelerator and kind == "compute"):
            return MIXED
        shortest = min(case.seconds("compute") or 0.0 for case in (self, other))
        return DEVICE_10_US if shortest <= 1e-5 else DEVICE_25_US if shortest <= 2.5e-5 else DEVICE

    @remembered
    def speedup(self, kind, best: Best | None = None) -> Comparison:
        """Comparison with the baseline, of its own time or of that of its Best: the quotient of the two times; of the
        baseline with itself 1, without a verdict."""
        if self.baseline is None or not self.samples(kind):
            return Comparison()
        if self.baseline.case is self:
            return ITSELF
        samples, seconds = (best.samples, best.seconds) if best else (self.samples(kind), self.seconds(kind))
        compared = self.scatter.compare(self.baseline.samples_of(kind), samples, self.pool(kind))
        slow = seconds_of(self.baseline.chosen, kind) if best else self.baseline.case.seconds(kind)
        found = self.around(compared, slow, seconds)
        left = self.record.left if kind == "compute" else None
        return found._replace(verdict=left.verdict) if left and found.verdict else found

    @remembered
    def alone(self, kind) -> Best:
        """The Best of this case by itself. It must have this kind of time."""
        samples = self.samples(kind)
        tie = (self,) if len(samples) > 1 else ()
        return Best(self, kind, samples, dict.fromkeys(samples, self), tie=tie, beside=self.seconds(kind))

    def around(self, compared, slow, fast) -> Comparison:
        """A Comparison of this case with another around the quotient of two times."""
        return self.believed(compared.around(slow and slow / fast, self.scatter.same_within))

    def believed(self, comparison):
        """A Comparison of this case with another: what is implausible is neither faster nor slower than anything."""
        return comparison._replace(verdict=None) if self.implausible else comparison


def seconds_of(chosen, kind):
    """Seconds of a kind of time of the cases that were chosen in each repetition; None of none. With data kept for
    several calls, these are put together of two times that are shown elsewhere."""
    if isinstance(kind, AmortisedTransfer):
        once, later = (seconds_of(chosen, way) for way in (PINNED, "throughput"))
        return once and later and (once + (kind.calls - 1) * later) / kind.calls
    logs = [own[name] for name, case in chosen.items() if name in (own := case.levels(kind))]
    return math.exp(fmean(logs)) if logs else None


def _by_round(rounds, seconds):
    """{round: seconds}. Of two in one round, as calls before the first are in some results, one counts as of a round
    before."""
    found = {}
    for number, each in zip(rounds, seconds, strict=True):
        while number in found:
            number -= 1
        found[number] = each
    return found


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
    return " ".join(f"{name}={value}" for name, value in sorted(record.settings.items()) if name != "block_size")


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
