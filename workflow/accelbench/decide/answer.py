"""The answer to "my problem, my size, my data: what shall I take?", from the Analysis of a machine.

All rules are here. The page's script only selects among answers.
"""

import math
from dataclasses import dataclass
from functools import cached_property
from types import SimpleNamespace

from accelbench.analysis import Analysis, cases, choosing, memory, verdicts
from accelbench.analysis.analysis import Family
from accelbench.analysis.startup import key_of
from accelbench.decide import remedies
from accelbench.model.metadata import ImplementationMetadata

EASY = 1.25  # of the best's time: implementations within it compete for the least code
CALLS = (1, 10, 100, 1000, 1_000_000)  # numbers of calls that can be asked for
USUAL_CALLS = 1000
KNOWN = {"numpy", "python"}  # backends that everybody has
RESIDENT, PAGEABLE, PAGE_LOCKED, KEPT = "resident", "pageable", "pinned", "kept"
KINDS = {RESIDENT: "throughput", PAGEABLE: "end_to_end", PAGE_LOCKED: cases.PINNED}
ON_A_GPU = {
    PAGE_LOCKED: "from page-locked host memory and back (pinned)",
    PAGEABLE: "from ordinary host memory and back (pageable)",
    KEPT: "copied to the device once, for all calls (kept)",
    RESIDENT: "where they are needed already (resident)",
}
ON_CORES = {PAGEABLE: "in host arrays", RESIDENT: "in the form it needs already (resident)"}


@dataclass(frozen=True)
class Bracket:
    """The sizes from which something pays, known as well as sizes were measured.

    crossover  "always", "never", "from", "sometimes"; None where nothing says
    below, at  the sizes between which it begins to; `between` is one to measure
    alone      whether one size alone says anything
    up_to      the largest size that says anything, where something was measured at larger ones, too; where it is alone,
               at any other
    """

    crossover: str | None
    below: int | None = None
    at: int | None = None
    between: int | None = None
    alone: bool = False
    up_to: int | None = None


class Answers:
    """All Answers of a machine, each worked out once.

    places    {place of the data: what the page calls it}, the default first
    sizes     {Family of which anything has a time: its sizes}, those of the kernel measured last first
    """

    def __init__(self, analysis: Analysis):
        self.analysis, self.places = analysis, places(analysis)
        timed = {problem[:3] for problem in analysis.implementations("compute")}
        last = max(((run.started, kernel) for kernel, run in analysis.results.runs), default=None)
        kernels = sorted(analysis.kernels, key=lambda kernel: last is None or kernel != last[1])
        every = (family for kernel in kernels for family in analysis.families(kernel))
        self.sizes = {
            family: sorted(size for *own, size in analysis.problems if tuple(own) == family.problems)
            for family in every
            if family.problems in timed
        }

    @cached_property
    def starting(self) -> dict[tuple, float | None]:
        """{startup.key_of(a case): seconds of starting up as pages show them}."""
        return {key: shown(startup.total_s) for key, startup in self.analysis.startup.items()}

    @memory.remembered
    def by_time(self, problem: tuple, kind: cases.Kind, base: bool) -> list[choosing.Best]:
        """Return all implementations with a time of a kind, the fastest first, implausible ones last."""
        return sorted(
            self.analysis.implementations(kind, base=base).get(problem, []),
            key=lambda best: (bool(best.case.implausible), best.seconds, best.case.id),
        )

    @memory.remembered
    def has_rivals(self, problem: tuple, base: bool) -> bool:
        return any(
            on_cores(best.case) and best.case.record.backend not in KNOWN
            for best in self.analysis.implementations("compute", base=base).get(problem, [])
        )

    @memory.remembered
    def at(self, family: Family, size: int, *, place: str, calls: int = USUAL_CALLS, base: bool = False) -> "Answer":
        """Return what to choose for a problem with the data in a place, for a number of calls; or, in `base`, which
        backend is the fastest."""
        return Answer(self, family, size, place, calls, base)

    def states(self, family: Family, size: int, place: str) -> "list[Answer]":
        """Return the Answers for each number of calls, and that in base where classes are recorded."""
        asked = [*({"calls": calls} for calls in CALLS), *[{"base": True}] * self.analysis.has_classes]
        return [self.at(family, size, place=place, **each) for each in asked]

    def usual(
        self, family: Family, place: str | None = None, calls: int = USUAL_CALLS, *, base: bool = False
    ) -> "Answer":
        """Return the Answer of a family at its usual size, by default at the default place.

        That is the largest size at which the cores were measured with NumPy and with more than NumPy and Python. If
        there is none, the largest size without NumPy; else the largest size.
        """
        where = place or next(iter(self.places))
        every = [self.at(family, size, place=where, calls=calls, base=base) for size in self.sizes[family]]
        timed = [each for each in every if each.timed]
        rivals = [each for each in timed if each.has_rivals]
        return ([each for each in rivals if any(b.case.is_baseline for b in each.timed)] or rivals or timed or every)[
            -1
        ]


@dataclass(frozen=True)
class Answer:
    """What to choose for a problem with the data in a place, for a number of calls.

    In `base` backends are compared: all by one algorithm, strict, native, with one thread of the cores.
    """

    answers: Answers
    family: Family
    size: int
    place: str
    calls: int
    base: bool = False

    @property
    def analysis(self):
        return self.answers.analysis

    @property
    def kind(self) -> str | cases.AmortisedTransfer:
        """The kind of time of a call. Data kept for a single one are brought there and back by it."""
        if self.place == KEPT:
            return cases.AmortisedTransfer(self.calls) if self.calls > 1 else cases.PINNED
        return KINDS[self.place]

    @property
    def problem(self):
        return *self.family.problems, self.size

    @cached_property
    def fastest(self) -> choosing.Best | None:
        """The fastest implementation, which knows what ties with it."""
        return self.analysis.fastest(self.kind, base=self.base).get(self.problem)

    @cached_property
    def leaders(self) -> list[choosing.Best]:
        """All implementations that tie with the fastest, ordered by the time of all calls with start-up."""
        leading = {best.case for best in self._believed if self.fastest and best.case in self.fastest.tie}
        leading = leading or {self.fastest and self.fastest.case}
        found = [best for best in self._believed if best.case in leading]
        return found if self.base else sorted(found, key=lambda b: (self.total_s(b) or math.inf, b.seconds))

    @cached_property
    def ranking(self) -> list[choosing.Best]:
        """All implementations with a time: the leaders, then the others by time, implausible ones last."""
        return [*self.leaders, *(best for best in self.by_time if best not in self.leaders)]

    @cached_property
    def by_time(self) -> list[choosing.Best]:
        """All implementations with a time, the fastest first, implausible ones last."""
        return self.answers.by_time(self.problem, self.kind, self.base)

    @cached_property
    def hollow(self) -> list[choosing.Best]:
        """The first of each backend that has a time and no version in base; none outside base."""
        if not self.base:
            return []
        firsts, known = {}, {best.case.record.backend for best in self.by_time}
        for best in self.answers.at(self.family, self.size, place=self.place).ranking:
            firsts.setdefault(best.case.record.backend, best)
        return [best for backend, best in firsts.items() if backend not in known]

    @cached_property
    def _believed(self):
        return [best for best in self.by_time if not best.case.implausible]

    @property
    def best(self) -> choosing.Best | None:
        return self.leaders[0] if self.leaders else None

    @cached_property
    def numpy(self) -> choosing.Best | None:
        """The fastest baseline."""
        return next((best for best in self.by_time if best.case.is_baseline), None)

    def total_s(self, best: choosing.Best) -> float | None:
        """Return the seconds of all calls with start-up, of the two numbers as pages show them."""
        starting = self.answers.starting.get(key_of(best.case))
        return None if starting is None else starting + self.calls * shown(best.seconds)

    @cached_property
    def least(self) -> choosing.Best | None:
        """The implementation with the fewest lines among those within EASY of the best time."""
        easy = [b for b in self._believed if lines_of(b) and self.best and b.seconds <= EASY * self.best.seconds]
        return min(easy, key=lambda best: (lines_of(best), best.seconds), default=None)

    @cached_property
    def front(self) -> list[choosing.Best]:
        """The Pareto front of lines of code and time, the fewest lines first."""
        found = []
        for best in sorted(filter(lines_of, self._believed), key=lines_of):
            if not found or best.seconds < found[-1].seconds:
                found.append(best)
        return found

    @cached_property
    def soonest(self) -> choosing.Best | None:
        """The implementation with the least time of all calls with start-up."""
        return min([best for best in self.ranking if self.total_s(best) is not None], key=self.total_s, default=None)

    @cached_property
    def elsewhere(self) -> dict[str, "Answer"]:
        """{another place of the data: the Answer there}."""
        others = (place for place in self.answers.places if place != self.place)
        return {
            place: answer
            for place, answer in {place: self._like(self.size, place) for place in others}.items()
            if answer.best
        }

    @cached_property
    def at_sizes(self) -> "list[Answer]":
        """The Answers at each size of the family that have one."""
        every = (self._like(size, self.place) for size in self.answers.sizes[self.family])
        return [each for each in every if each.best] if self is self._first else self._first.at_sizes

    def _like(self, size, place):
        return self.answers.at(self.family, size, place=place, calls=self.calls, base=self.base)

    @property
    def _first(self):
        """The Answer at the smallest size, which works out what is the same at all sizes."""
        return self._like(self.answers.sizes[self.family][0], self.place)

    @cached_property
    def gpu_pays(self) -> Bracket:
        """The sizes at which all leaders run on GPUs, among sizes that cores and GPUs were measured at."""
        both = (each for each in self.at_sizes if each.has_rivals and each.has_gpu and each.fastest.tie)
        pays = ((each.size, all(b.case.on_accelerator for b in each.leaders)) for each in both)
        return self._bracket(dict(pays)) if self is self._first else self._first.gpu_pays

    @cached_property
    def numpy_beaten(self) -> Bracket:
        """The sizes at which NumPy is no leader. A size at which it leads without rivals on the cores is ignored."""
        if self is not self._first:
            return self._first.numpy_beaten
        beaten = {each: not any(b.case.is_baseline for b in each.leaders) for each in self.at_sizes if each.numpy}
        return self._bracket({each.size: pays for each, pays in beaten.items() if pays or each.has_rivals})

    def _bracket(self, pays):
        found = verdicts.overtaking(
            {size: verdicts.FASTER if faster else verdicts.SAME for size, faster in pays.items()}
        )
        below, at = found.not_faster_size, found.faster_from_size
        if found.crossover == "from" and below is not None and at is not None:
            return Bracket("from", below, at, between(below, at))
        most, alone = max(pays, default=math.inf), len(pays) == 1
        others = any(each.size > most or (alone and each.size != most) for each in self.at_sizes)
        return Bracket(found.crossover, alone=alone, up_to=most if others else None)

    @cached_property
    def has_rivals(self) -> bool:
        """Whether another backend than NumPy and Python was measured on the cores."""
        return self.answers.has_rivals(self.problem, self.base)

    @cached_property
    def has_gpu(self) -> bool:
        return any(best.case.on_accelerator for best in self.timed)

    @property
    def timed(self):
        """The implementations with a time, at whatever place of the data."""
        return self.analysis.implementations("compute", base=self.base).get(self.problem, [])

    @cached_property
    def only_cpu(self) -> str:
        """The backends of the cores, as text, if a GPU has no other rivals than NumPy and Python; else ""."""
        if self.base or self.has_rivals or not self.has_gpu:
            return ""
        return (
            " and ".join(sorted({b.case.record.backend for b in self.timed if not b.case.on_accelerator})) or "nothing"
        )

    @cached_property
    def missing(self) -> list[SimpleNamespace]:
        return remedies.of_problem(self.analysis.problems[self.problem])


def shown(value: float | None) -> float | None:
    """Round a number to the digits that pages show, so that a script does not round it twice."""
    return None if value is None else float(f"{value:.3g}")


def on_cores(case) -> bool:
    """Return whether a case ran on the cores themselves, not on a device made of them."""
    return not case.on_accelerator and case.record.device in (None, "cpu")


def lines_of(best: choosing.Best) -> int:
    """Return the lines of code; 0 if they are not known."""
    return best.case.record.source_lines or 0


def about_of(analysis: Analysis, kernel: str, implementation: str) -> ImplementationMetadata | None:
    """Return the metadata of an implementation; of a contestant without any, those of its home."""
    known = analysis.kernels[kernel].implementations
    return known.get(implementation) or known.get(implementation.partition("@")[0])


def between(below: int, at: int) -> int | None:
    """Return a round size near the geometric mean of two; None if no round size lies between them."""
    middle = math.sqrt(below * at) if below else at / 2
    unit = 10 ** math.floor(math.log10(middle)) if middle >= 1 else 1
    size = math.floor(middle / unit + 0.5) * unit
    return size if below < size < at else None


def places(analysis: Analysis) -> dict[str, str]:
    """Return {place of the data: what the page calls it}, the default first."""
    if not analysis.gpus:
        return ON_CORES
    pinned = any(cases.PINNED in case.record.timings for case in analysis.cases if case.ok)
    return {place: words for place, words in ON_A_GPU.items() if pinned or place != PAGE_LOCKED}
