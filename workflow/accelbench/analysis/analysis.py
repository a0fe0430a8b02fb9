"""Class Analysis: the cases, best cases, peaks and start-up times of one machine's results."""

from collections.abc import Callable, Hashable
from functools import cached_property
from typing import NamedTuple

from accelbench.analysis import choices, startup
from accelbench.analysis.cases import Case, Kind, has_default_block
from accelbench.analysis.choosing import Best
from accelbench.analysis.devices import short_names
from accelbench.analysis.gathering import gather
from accelbench.analysis.memory import remembered
from accelbench.analysis.peaks import Peak, peaks
from accelbench.analysis.verdicts import ITSELF, Comparison
from accelbench.model.results import Results
from accelbench.model.watched import is_peak


class Family(NamedTuple):
    """Problems of a kernel that differ only in size. `title` distinguishes the families of a kernel."""

    kernel: str
    dtype: str
    options: str
    title: str

    @property
    def problems(self) -> tuple[str, str, str]:
        """Return (kernel, options, dtype). The key of every problem of the family begins with these values."""
        return self.kernel, self.options, self.dtype

    def holds(self, case: Case) -> bool:
        return case.problem[:3] == self.problems


class Analysis:
    """Analysis of one machine's results. Each property is computed once, when it is first read.

    machine       the Machine in machine.json
    kernels       {kernel: metadata}, without the kernels that measure peaks
    host_devices  names of the devices that run on this machine's CPU cores
    first_look    whether cases with one repetition get intervals and verdicts, as on pages made during a run
    """

    def __init__(self, results: Results, *, first_look: bool = False):
        self.results, self._first_look = results, first_look
        self.machine = results.machine
        self.kernels = {kernel: metadata for kernel, metadata in results.kernels.items() if not is_peak(kernel)}
        self.host_devices = results.machine.host_devices

    @cached_property
    def cases(self) -> list[Case]:
        """Return all Cases with their baselines, in the order in which tables list them."""
        return gather(self.results, first_look=self._first_look)

    @cached_property
    def problems(self) -> dict[tuple, list[Case]]:
        """Return {problem: its cases}, without the kernels that measure peaks."""
        return choices.group_by(choices.accelerating(self.cases), lambda case: case.problem)

    @cached_property
    def by_kernel(self) -> dict[str, list[Case]]:
        """Return {kernel: its cases}."""
        return choices.group_by(self.cases, lambda case: case.record.kernel)

    @cached_property
    def has_classes(self) -> bool:
        """Return whether the results record algorithms and math modes, which the base ranking needs.

        The base ranking compares backends by cases in base: main algorithm, strict math, native target.
        """
        return any(case.is_base is not None for case in self.cases if case.ok)

    @remembered
    def bests(self, kind: Kind, key: Callable[[Case], Hashable], *, base: bool = False) -> list[Best]:
        """Group cases by `key` and return the Best of each group by a kind of time; see choices.bests.

        base  whether to use only cases in base (main algorithm, strict math, native target). Cases on cores must
              also have one thread
        """
        return choices.bests([case for case in self.cases if case.is_like or not base], kind, key)

    @remembered
    def implementations(self, kind: Kind, *, base: bool = False) -> dict[tuple, list[Best]]:
        """Return {problem: [Best of each implementation on each device]} by a kind of time; for `base` see bests."""
        return choices.group_by(self.bests(kind, choices.by_implementation, base=base), lambda best: best.case.problem)

    @remembered
    def fastest(self, kind: Kind, *, base: bool = False) -> dict[tuple, Best]:
        """Return {problem: its fastest plausible implementation by a kind of time}; see choices.fastest."""
        bests = (
            (problem, choices.fastest(candidates, self.problems[problem], base))
            for problem, candidates in self.implementations(kind, base=base).items()
        )
        return {problem: best for problem, best in bests if best}

    @cached_property
    def startup(self) -> dict[tuple, startup.Startup]:
        """Return {key: Startup} of the ok cases with a recorded start-up time; startup.key_of makes the keys."""
        started = (case for case in self.cases if case.ok and case.record.startup)
        return {
            key: startup.of(cases, self.results.kernels)
            for key, cases in choices.group_by(started, startup.key_of).items()
        }

    @cached_property
    def peaks(self) -> list[Peak]:
        """Return the best bandwidths and operation rates of the machine, sorted by device, threads, dtype and name."""
        return sorted(peaks(self.cases), key=lambda peak: (peak.device, peak.threads or 0, peak.dtype, peak.name))

    @cached_property
    def regrets(self) -> list[tuple[Best, Case | None, Comparison]]:
        """Return (Best, Case, Comparison) for each sweep of block sizes.

        The Case has the default block size, 256 or 16x16. It is None if the sweep has no case with this block size. The
        ratio of the Comparison is the time of the Case over the time of the Best.
        """
        sweeps = filter(choices.sweeps_blocks, choices.accelerating(self.cases))
        planned = choices.group_by(sweeps, choices.by_all_but_block)
        bests = [b for b in self.bests("compute", choices.by_all_but_block) if choices.sweeps_blocks(b.case)]
        groups = {best: planned[choices.by_all_but_block(best.case)] for best in bests}
        defaults = {
            best: next(filter(has_default_block, sweep), None) for best, sweep in groups.items() if len(sweep) > 1
        }
        return [(best, default, _loss(best, default)) for best, default in defaults.items()]

    @remembered
    def scaling(self, kind: Kind) -> list[tuple[Best, Best, Comparison]]:
        """Return (Best, Best with the fewest threads, Comparison) for each implementation and number of threads.

        The Comparison has the speedup over the fewest threads. The list omits implementations that were measured with
        only one number of threads.
        """
        threaded = [b for b in self.bests(kind, choices.by_threads) if b.case.record.threads is not None]
        counts = choices.group_by(threaded, lambda best: choices.by_implementation(best.case)).values()
        return [(best, curve[0], _gain(best, curve[0])) for curve in counts if len(curve) > 1 for best in curve]

    @cached_property
    def gpus(self) -> list[str]:
        """Return the names of the GPUs on which at least one case was timed."""
        timed = {case.record.device for case in choices.accelerating(self.cases) if case.seconds("compute")}
        return sorted(timed - {None} - self.host_devices)

    @cached_property
    def short_devices(self) -> dict[str, str]:
        """Return {device: short name for labels}. A number distinguishes devices with the same short name."""
        return short_names({case.record.device for case in self.cases if case.record.device})

    def families(self, kernel: str) -> list[Family]:
        """Return the families of a kernel, sorted by options and then by dtype.

        The kernel's metadata gives the order of dtypes. Pages draw separate figures for each family.
        """
        order = {dtype: place for place, dtype in enumerate(self.kernels[kernel].dtypes)}
        pairs = {case.problem[1:3] for case in self.by_kernel.get(kernel, ())}
        several = len({options for options, _ in pairs}) > 1
        ranked = sorted(pairs, key=lambda pair: (pair[0], order.get(pair[1], len(order)), pair[1]))
        return [
            Family(kernel, dtype, options, f"{dtype}, {options}" if options and several else dtype)
            for options, dtype in ranked
        ]


def _loss(best, default):
    """Return the Comparison of `best` with the Case `default`: the time of `default` over the time of `best`."""
    if default is best.case:
        return ITSELF
    if not default or default.implausible or not default.samples("compute"):
        return Comparison()
    return best.case.believed(choices.compare(best, choices.best_of([default], "compute")))


def _gain(best, fewest):
    """Return the Comparison of two Bests: the speedup of `best` over `fewest`, which has the fewest threads."""
    if best is fewest:
        return ITSELF
    return fewest.case.believed(best.case.believed(choices.compare(best, fewest)))
