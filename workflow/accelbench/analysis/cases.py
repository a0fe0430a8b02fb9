"""Cases side by side with their baselines, and tables/timings.csv, one row a case."""

from collections import defaultdict
from functools import cached_property

from accelbench.analysis.limits import Limits
from accelbench.analysis.verdicts import SAME_WITHIN, SAME_WITHIN_VIRTUAL, Comparison, compare, medians
from accelbench.model.parameters import BLOCK_SIZE, BlockSize
from accelbench.model.record import TIMINGS, case_id

# A case that runs faster than this many times its limit, out of memory, was most likely not waited for.
IMPLAUSIBLE = 1.05
MORE_CORES = 1.1  # times as many as it has threads: what starts and ends beside a sample is counted with it
LAUNCH_BOUND = 0.8  # of the time on a device, which launching takes
PINNED = "end_to_end_pinned"
DEFAULT_BLOCKS = (BlockSize((256,)), BlockSize((16, 16)))  # what is written where nobody has tried anything else

PROBLEM = {"machine": "str", "kernel": "str", "options": "str", "size": "int", "dtype": "str"}
CASE = {
    "machine": "str",
    "kernel": "str",
    "options": "str",
    "implementation": "str",
    "backend": "str",
    "device": "str",
    "size": "int",
    "dtype": "str",
    "block_size": "str",
    "threads": "int",
}
SPEEDUP_OF = ("speedup_{}", "speedup_{}_ci_low", "speedup_{}_ci_high")
COLUMNS = {
    **CASE,
    "outcome": "str",
    "reason": "str",
    "compute_s": "float",
    "compute_ci_low_s": "float",
    "compute_ci_high_s": "float",
    "call_s": "float",
    "end_to_end_s": "float",
    "first_call_s": "float",
    "speedup": "float",
    "speedup_ci_low": "float",
    "speedup_ci_high": "float",
    "speedup_end_to_end": "float",
    "bandwidth_gb_s": "float",
    "gflop_s": "float",
    "fraction_of_limit": "float",
    "max_error": "float",
    # What DESIGN's list does not name, the report needs:
    "verdict": "str",
    "speedup_end_to_end_ci_low": "float",
    "speedup_end_to_end_ci_high": "float",
    "verdict_end_to_end": "str",
    **{name.format(kind): "float" for kind in ("call", "end_to_end_pinned") for name in SPEEDUP_OF},
    "speedup_same_threads": "float",
    "speedup_same_threads_ci_low": "float",
    "speedup_same_threads_ci_high": "float",
    "baseline": "str",
    "parameters": "str",
    **{f"{kind}_s": "float" for kind in TIMINGS if kind not in ("compute", "call", "end_to_end")},
    "occupancy": "float",
    "registers": "int",
    "energy_j": "float",
    "tolerance": "float",
    "cache_resident": "bool",
    "implausible": "bool",
    "launch_bound": "bool",
    "cores_used": "float",
    "more_cores": "bool",
    "inputs_replaced": "bool",
    "noisy": "bool",
    "reference_shift": "float",
    "converged": "bool",
    "sittings": "int",
    "samples": "int",
    "source_lines": "int",
    "case": "str",
}


class Case:
    """A record as the tables see it. Only `ok` cases have times.

    `is_baseline` says whether its implementation is its kernel's baseline; `baselines` are the ok cases of that one for
    its problem, fastest first. `elsewhere` is what does not run on the cores that baselines run on.
    """

    def __init__(self, record, is_baseline, elsewhere=False):
        self.record, self.is_baseline, self.elsewhere = record, is_baseline, elsewhere
        self.id = case_id(record)
        self.ok = record.outcome == "ok"
        self.baselines = []
        self.floor_s = None  # the least time that the machine's limits allow
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
    def fraction_of_limit(self):
        seconds = self.seconds("compute")
        return self.floor_s / seconds if self.floor_s and seconds else None

    @property
    def implausible(self):
        """Whether it is faster than the machine can be; None where no limit says."""
        fraction = self.fraction_of_limit
        return None if fraction is None else fraction > IMPLAUSIBLE and not self.record.cache_resident

    def samples(self, kind):
        """{sitting: (samples, rounds)}."""
        timing = self.timing(kind)
        if timing is None:
            return {}
        return dict(zip(self.record.sittings, zip(timing.samples_s, timing.rounds, strict=True), strict=True))

    def times(self, kind):
        """{sitting: median seconds}."""
        if kind not in self._times:
            self._times[kind] = medians({s: samples for s, (samples, _) in self.samples(kind).items()})
        return self._times[kind]

    def seconds(self, kind):
        timing = self.timing(kind)
        return None if timing is None else timing.median_s

    def speedup(self, kind, same_within, baseline=None):
        """Comparison with the baseline; of the baseline with itself 1, without a verdict."""
        baseline = baseline or self.baseline
        if baseline is None or not self.times(kind):
            return Comparison()
        if baseline is self:
            return Comparison(1.0, 1.0, 1.0)
        return self.believed(compare(baseline.times(kind), self.times(kind), same_within))

    def believed(self, comparison):
        """A Comparison of this case with another: what is implausible is neither faster nor slower than anything."""
        return comparison._replace(verdict=None) if self.implausible else comparison


def gather(results):
    """Every Case of a machine in the order of the tables, each knowing its baselines."""
    here, cards = results.host_devices, results.cards
    found = (Case(r, r.implementation == cards[r.kernel]["baseline"], r.device not in here) for r in results.records)
    cases = sorted(found, key=lambda case: case.order)
    baselines = defaultdict(list)
    for case in cases:
        if case.is_baseline and case.times("compute"):
            baselines[case.problem].append(case)
    for found in baselines.values():
        found.sort(key=lambda case: case.seconds("compute"))
    for case in cases:
        case.baselines = baselines[case.problem]
    limits = Limits(cases, here)
    for case in cases:
        case.floor_s = limits.floor_s(case.record)
    return cases


def same_within(machine):
    """How far from 1 a ratio may be and still be SAME, on this machine."""
    return SAME_WITHIN_VIRTUAL if machine.get("virtualised") else SAME_WITHIN


def timings(cases, within):
    """Rows of timings.csv."""
    return [_row(case, within) for case in cases]


def describe(case):
    """The columns that say which case it is."""
    r = case.record
    block_size = r.settings.get("block_size")
    return {
        "machine": r.machine,
        "kernel": r.kernel,
        "options": format_options(r.options),
        "implementation": r.implementation,
        "backend": r.backend,
        "device": r.device,
        "size": r.size,
        "dtype": r.dtype,
        "block_size": None if block_size is None else str(block_size),
        "threads": r.threads,
    }


def describe_problem(case):
    return {name: value for name, value in describe(case).items() if name in PROBLEM}


def format_options(options):
    """{"vertices": 24, "width": 100} -> "vertices=24 width=100"."""
    return " ".join(
        f"{name}={value:.0f}" if value == int(value) else f"{name}={value!r}" for name, value in sorted(options.items())
    )


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


def _row(case, within):
    r, timing = case.record, case.timing("compute")
    seconds = case.seconds("compute")
    moved = None if r.bytes_read is None or r.bytes_written is None else r.bytes_read + r.bytes_written
    same_threads = case.baseline_same_threads
    same_threads = case.speedup("compute", within, same_threads) if same_threads else Comparison()
    compared = case.speedup("compute", within)
    return {
        **describe(case),
        "outcome": r.outcome,
        "reason": r.reason,
        "compute_s": seconds,
        "compute_ci_low_s": timing and timing.ci_low_s,
        "compute_ci_high_s": timing and timing.ci_high_s,
        "first_call_s": r.startup.first_call_s if case.ok and r.startup else None,
        **comparison("speedup", compared),
        **comparison("speedup_end_to_end", case.speedup("end_to_end", within), "_end_to_end"),
        **_ratio("speedup_call", case.speedup("call", within)),
        **_ratio("speedup_end_to_end_pinned", _pinned(case, within)),
        "speedup_same_threads": same_threads.ratio,
        "speedup_same_threads_ci_low": same_threads.low,
        "speedup_same_threads_ci_high": same_threads.high,
        "baseline": case.baseline.id if case.baseline and compared.ratio is not None else None,
        "bandwidth_gb_s": moved / seconds / 1e9 if moved and seconds else None,
        "gflop_s": r.flops / seconds / 1e9 if r.flops and seconds else None,
        "fraction_of_limit": case.fraction_of_limit,
        "implausible": case.implausible,
        "launch_bound": is_launch_bound(case),
        "max_error": r.max_error,
        "tolerance": r.tolerance,
        "parameters": format_parameters(r),
        **{f"{kind}_s": case.seconds(kind) for kind in TIMINGS if kind not in ("compute", PINNED)},
        f"{PINNED}_s": case.seconds(PINNED) if PINNED in r.timings else None,
        **{name: getattr(r, name) if case.ok else None for name in ("occupancy", "registers", "energy_j")},
        "cache_resident": r.cache_resident,
        "cores_used": r.cores_used,
        "more_cores": uses_more_cores(r),
        "inputs_replaced": r.inputs_replaced,
        "noisy": r.noisy,
        "reference_shift": max((s for s in r.environment.get("reference_shift", ()) if s is not None), default=None),
        "converged": timing and timing.converged,
        "sittings": len(case.times("compute")),
        "samples": sum(map(len, timing.samples_s)) if timing else 0,
        "source_lines": r.source_lines,
        "case": case.id,
    }


def _pinned(case, within):
    """Its speedup from end to end with page-locked host memory; nothing where that is not another thing."""
    return case.speedup(PINNED, within) if PINNED in case.record.timings else Comparison()


def _ratio(prefix, compared):
    """A Comparison as columns, without the verdict."""
    return {name: value for name, value in comparison(prefix, compared).items() if name != "verdict"}


def _ordered(value):
    """A parameter's value so that 64 comes before 128 and numbers, shapes and words do not meet."""
    if isinstance(value, BlockSize):
        return (len(value.extents) > 1, value.extents, "")
    return (0, (value,), "") if isinstance(value, (int, float)) else (2, (), str(value))
