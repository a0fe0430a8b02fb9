"""Cases side by side with their baselines, and what the columns that tables share say of them."""

from collections import defaultdict
from dataclasses import fields
from functools import cached_property
from typing import Any

from accelbench.analysis.peaks import PeakRates, peaks
from accelbench.analysis.verdicts import SAME_WITHIN, SAME_WITHIN_VIRTUAL, Comparison, compare, medians
from accelbench.model.parameters import BLOCK_SIZE, BlockSize
from accelbench.model.record import case_id

# A case that runs faster than this many times its peak, out of memory, was most likely not waited for.
IMPLAUSIBLE = 1.05
MORE_CORES = 1.1  # times as many as it has threads: what starts and ends beside a sample is counted with it
LAUNCH_BOUND = 0.8  # of the time on a device, which launching takes
PINNED = "end_to_end_pinned"
DEFAULT_BLOCKS = (BlockSize((256,)), BlockSize((16, 16)))  # what is written where nobody has tried anything else


class Case:
    """A record as the tables see it. Only `ok` cases have times.

    `is_baseline` says whether its implementation is its kernel's baseline; `baselines` are the ok cases of that one for
    its problem, fastest first. `on_accelerator` is what does not run on the cores that baselines run on; `same_within`
    how far from 1 a ratio may be and still be SAME, on its machine.
    """

    def __init__(self, record, *, is_baseline, on_accelerator, same_within):
        self.record, self.is_baseline, self.on_accelerator = record, is_baseline, on_accelerator
        self.same_within = same_within
        self.id = case_id(record)
        self.ok = record.outcome == "ok"
        self.baselines = []
        self.floor_s: float | None = None  # the least time that the machine's peaks allow
        self._times = {}

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
    def baseline(self):
        """The baseline at whichever thread count serves it best, or None where it has no time."""
        return self.baselines[0] if self.baselines else None

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
        end is what it is without.
        """
        timings = self.record.timings if self.ok else {}
        if kind == "end_to_end_pinned" and kind not in timings:
            kind = "end_to_end"
        if kind in ("call", "end_to_end") and kind not in timings and "call" not in timings:
            kind = "compute"
        return timings.get(kind)

    @property
    def fraction_of_peak(self):
        seconds = self.seconds("compute")
        return self.floor_s / seconds if self.floor_s and seconds else None

    @property
    def implausible(self):
        """Whether it is faster than the machine can be; None where no peak says."""
        fraction = self.fraction_of_peak
        return None if fraction is None else fraction > IMPLAUSIBLE and not self.record.cache_resident

    def samples(self, kind):
        """{repetition: (samples, rounds)}."""
        timing = self.timing(kind)
        if timing is None:
            return {}
        return dict(zip(self.record.repetitions, zip(timing.samples_s, timing.rounds, strict=True), strict=True))

    def times(self, kind):
        """{repetition: median seconds}."""
        if kind not in self._times:
            self._times[kind] = medians({s: samples for s, (samples, _) in self.samples(kind).items()})
        return self._times[kind]

    def seconds(self, kind):
        timing = self.timing(kind)
        return None if timing is None else timing.median_s

    def speedup(self, kind, baseline=None):
        """Comparison with the baseline; of the baseline with itself 1, without a verdict."""
        baseline = baseline or self.baseline
        if baseline is None or not self.times(kind):
            return Comparison()
        if baseline is self:
            return Comparison(1.0, 1.0, 1.0)
        return self.believed(compare(baseline.times(kind), self.times(kind), self.same_within))

    def believed(self, comparison):
        """A Comparison of this case with another: what is implausible is neither faster nor slower than anything."""
        return comparison._replace(verdict=None) if self.implausible else comparison


def gather(results):
    """Every Case of a machine in the order of the tables, each knowing its baselines."""
    within = same_within(results.machine)
    cases = [
        Case(
            record,
            is_baseline=record.implementation == results.kernels[record.kernel].baseline,
            on_accelerator=record.device not in results.machine.host_devices,
            same_within=within,
        )
        for record in results.records
    ]
    cases.sort(key=lambda case: case.order)
    baselines = defaultdict(list)
    for case in cases:
        if case.is_baseline and case.times("compute"):
            baselines[case.problem].append(case)
    for several in baselines.values():
        several.sort(key=lambda case: case.seconds("compute"))
    for case in cases:
        case.baselines = baselines[case.problem]
    rates = PeakRates(peaks(cases), results.machine.host_devices)
    for case in cases:
        case.floor_s = rates.floor_s(case.record)
    return cases


def same_within(machine):
    """How far from 1 a ratio may be and still be SAME, on this machine."""
    return SAME_WITHIN_VIRTUAL if machine.virtualised else SAME_WITHIN


def describe(case, row) -> dict[str, Any]:
    """The values of those columns of a class of rows that the case, or its record, has under the same name."""
    names = {column.name for column in fields(row)}
    values = {name: getattr(case.record, name) for name in names & type(case.record).model_fields.keys()}
    return values | {name: value(case) for name, value in OF_CASES.items() if name in names}


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
    """Whether launching takes the host about as long as the device needs between two results: its time is then that of
    launching, whatever the device could do. None for what is not launched."""
    launch = case.seconds("launch")
    return launch >= LAUNCH_BOUND * case.seconds("compute") if launch else None


def uses_more_cores(record):
    """Whether its process kept more cores busy than it has threads; None where the host does not compute."""
    if record.cores_used is None or record.threads is None:
        return None
    return record.cores_used > MORE_CORES * record.threads


def comparison(prefix, compared, suffix=""):
    """A Comparison as columns: <prefix>, its interval, and verdict<suffix>."""
    return {
        prefix: compared.ratio,
        f"{prefix}_ci_low": compared.low,
        f"{prefix}_ci_high": compared.high,
        f"verdict{suffix}": compared.verdict,
    }


def _ordered(value):
    """A parameter's value so that 64 comes before 128 and numbers, shapes and words do not meet."""
    if isinstance(value, BlockSize):
        return (len(value.extents) > 1, value.extents, "")
    return (0, (value,), "") if isinstance(value, (int, float)) else (2, (), str(value))


OF_CASES = {
    "case": lambda case: case.id,
    "options": lambda case: format_options(case.record.options),
    "parameters": lambda case: format_parameters(case.record),
    "block_size": format_block_size,
    "fraction_of_peak": lambda case: case.fraction_of_peak,
    "implausible": lambda case: case.implausible,
    "launch_bound": is_launch_bound,
    "repetitions": lambda case: len(case.times("compute")),
    "more_cores": lambda case: uses_more_cores(case.record),
}
