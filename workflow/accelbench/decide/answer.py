"""Answers to "Which implementation is best for my problem, size and data?", from the Analysis of a machine.

This module computes all answers. The script of index.html only selects an answer.
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

EASY = 1.25  # "Least code" considers implementations whose time is at most EASY times the time of the best
CALLS = (1, 10, 100, 1000, 1_000_000)  # Numbers of calls that a user can choose
USUAL_CALLS = 1000
KNOWN = {"numpy", "python"}  # Backends that need no learning or installation
RESIDENT, PAGEABLE, PAGE_LOCKED, COPIED_ONCE = "resident", "pageable", "pinned", "kept"
KINDS = {RESIDENT: "throughput", PAGEABLE: "end_to_end", PAGE_LOCKED: cases.PINNED}
ON_A_GPU = {
    PAGE_LOCKED: "from page-locked host memory and back (pinned)",
    PAGEABLE: "from ordinary host memory and back (pageable)",
    COPIED_ONCE: "copied to the device once, for all calls (kept)",
    RESIDENT: "where they are needed already (resident)",
}
ON_CORES = {PAGEABLE: "in host arrays", RESIDENT: "in the form it needs already (resident)"}


@dataclass(frozen=True)
class Bracket:
    """Range of sizes in which a choice, such as a GPU instead of the cores, begins to pay.

    Sizes at which only one side, such as the GPU, was measured do not count.

    crossover  "always", "never", "from", "sometimes" as in verdicts.Overtaking; None if unknown
    below      largest size at which the choice does not pay
    at         next larger size, from which on the choice pays
    between    round size between `below` and `at`, which would narrow the range if it were measured
    alone      whether both sides of the choice were measured at only one size
    up_to      largest size at which both sides were measured, if one side was measured at larger sizes (if `alone`: at
               other sizes); otherwise, and if `crossover` is "from", None
    """

    crossover: str | None
    below: int | None = None
    at: int | None = None
    between: int | None = None
    alone: bool = False
    up_to: int | None = None


class Answers:
    """All Answers of a machine, each computed when it is first requested.

    places    {place of the data: its name on the page}, the default place first
    sizes     {Family (kernel, dtype and options) with a time: its sizes}. The last measured kernel comes first
    """

    def __init__(self, analysis: Analysis):
        self.analysis, self.places = analysis, places(analysis)
        timed = {problem[:3] for problem in analysis.implementations("compute")}
        last = max(((run.started, kernel) for kernel, run in analysis.results.runs), default=None)
        kernels = sorted(analysis.kernels, key=lambda kernel: last is None or kernel != last[1])
        every = (family for kernel in kernels for family in analysis.families(kernel))
        self.sizes = {
            family: sorted(size for *prefix, size in analysis.problems if tuple(prefix) == family.problems)
            for family in every
            if family.problems in timed
        }

    @cached_property
    def starting(self) -> dict[tuple, float | None]:
        """Return {key of a case from `startup.key_of`: start-up time in seconds, rounded as on pages}."""
        return {key: shown(startup.total_s) for key, startup in self.analysis.startup.items()}

    @memory.remembered
    def by_time(self, problem: tuple, kind: cases.Kind, base: bool) -> list[choosing.Best]:
        """Return all implementations with a time of this kind, the fastest first, implausible times last."""
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
        """Return the Answer for a problem, a place of the data and a number of calls.

        base  compare only cases of the base ranking (main algorithm, strict, native, on the host with one thread)
        """
        return Answer(self, family, size, place, calls, base)

    def states(self, family: Family, size: int, place: str) -> "list[Answer]":
        """Return the states (Answers that a reader can select): one for each number of calls in CALLS.

        If the records contain algorithm, math mode and target, add the Answer of the base ranking.
        """
        asked = [*({"calls": calls} for calls in CALLS), *[{"base": True}] * self.analysis.has_classes]
        return [self.at(family, size, place=place, **options) for options in asked]

    def usual(
        self, family: Family, place: str | None = None, calls: int = USUAL_CALLS, *, base: bool = False
    ) -> "Answer":
        """Return the Answer of a family at its usual size, by default at the default place.

        The usual size is the largest size at which NumPy has a time, and a backend other than NumPy and Python has a
        time on the cores. If there is no such size, a time of NumPy is not required. If no size has such a backend,
        the usual size is the largest size with a time.
        """
        where = place or next(iter(self.places))
        every = [self.at(family, size, place=where, calls=calls, base=base) for size in self.sizes[family]]
        timed = [answer for answer in every if answer.timed]
        rivals = [answer for answer in timed if answer.has_rivals]
        return (
            [answer for answer in rivals if any(b.case.is_baseline for b in answer.timed)] or rivals or timed or every
        )[-1]


@dataclass(frozen=True)
class Answer:
    """The best implementation and its rivals, for a problem, a place of the data and a number of calls.

    If `base` is true, only cases in base are compared: main algorithm, strict, native, on the host with one thread.
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
        """Return the kind of time of a call. With COPIED_ONCE, a single call includes copying in both directions."""
        if self.place == COPIED_ONCE:
            return cases.AmortisedTransfer(self.calls) if self.calls > 1 else cases.PINNED
        return KINDS[self.place]

    @property
    def problem(self):
        return *self.family.problems, self.size

    @cached_property
    def fastest(self) -> choosing.Best | None:
        """Return the fastest implementation, with its ties in `tie`; None if there is no plausible time."""
        return self.analysis.fastest(self.kind, base=self.base).get(self.problem)

    @cached_property
    def leaders(self) -> list[choosing.Best]:
        """Return the fastest implementation and those that tie with it, sorted by the time of start-up and all calls.

        In base, the leaders are sorted by the time of a call.
        """
        leading = {best.case for best in self._believed if self.fastest and best.case in self.fastest.tie}
        leading = leading or {self.fastest and self.fastest.case}
        bests = [best for best in self._believed if best.case in leading]
        return bests if self.base else sorted(bests, key=lambda b: (self.total_s(b) or math.inf, b.seconds))

    @cached_property
    def ranking(self) -> list[choosing.Best]:
        """Return the leaders, then all other implementations with a time, by time, implausible times last."""
        return [*self.leaders, *(best for best in self.by_time if best not in self.leaders)]

    @cached_property
    def by_time(self) -> list[choosing.Best]:
        """Return all implementations with a time, the fastest first, implausible times last."""
        return self.answers.by_time(self.problem, self.kind, self.base)

    @cached_property
    def hollow(self) -> list[choosing.Best]:
        """Return the Best of each backend that has times, but none in base. Return [] if not `base`."""
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
        """Return the fastest baseline; None if no baseline has a time."""
        return next((best for best in self.by_time if best.case.is_baseline), None)

    def total_s(self, best: choosing.Best) -> float | None:
        """Return the seconds of start-up and all calls, from the rounded times that pages show; None if unknown."""
        starting = self.answers.starting.get(key_of(best.case))
        return None if starting is None else starting + self.calls * shown(best.seconds)

    @cached_property
    def least(self) -> choosing.Best | None:
        """Return the implementation with the fewest lines of code among those within EASY times the time of `best`."""
        easy = [b for b in self._believed if lines_of(b) and self.best and b.seconds <= EASY * self.best.seconds]
        return min(easy, key=lambda best: (lines_of(best), best.seconds), default=None)

    @cached_property
    def front(self) -> list[choosing.Best]:
        """Return the Pareto front of lines of code and time, the fewest lines first."""
        front = []
        for best in sorted(filter(lines_of, self._believed), key=lines_of):
            if not front or best.seconds < front[-1].seconds:
                front.append(best)
        return front

    @cached_property
    def soonest(self) -> choosing.Best | None:
        """Return the implementation with the least time of start-up and all calls; None if no start-up is known."""
        return min([best for best in self.ranking if self.total_s(best) is not None], key=self.total_s, default=None)

    @cached_property
    def elsewhere(self) -> dict[str, "Answer"]:
        """Return {place: Answer} of all other places of the data. Omit Answers without a best implementation."""
        others = (place for place in self.answers.places if place != self.place)
        return {
            place: answer
            for place, answer in {place: self._like(self.size, place) for place in others}.items()
            if answer.best
        }

    @cached_property
    def at_sizes(self) -> "list[Answer]":
        """Return the Answers at all sizes of the family, without Answers that have no best implementation."""
        every = (self._like(size, self.place) for size in self.answers.sizes[self.family])
        return [answer for answer in every if answer.best] if self is self._first else self._first.at_sizes

    def _like(self, size, place):
        return self.answers.at(self.family, size, place=place, calls=self.calls, base=self.base)

    @property
    def _first(self):
        """Return the Answer at the smallest size. This Answer caches properties that all sizes have in common."""
        return self._like(self.answers.sizes[self.family][0], self.place)

    @cached_property
    def gpu_pays(self) -> Bracket:
        """Return the Bracket of sizes at which all leaders run on GPUs.

        Use only sizes with verdicts, times of GPUs, and times of rivals on the cores (see `has_rivals`).
        """
        both = (answer for answer in self.at_sizes if answer.has_rivals and answer.has_gpu and answer.fastest.tie)
        pays = ((answer.size, all(b.case.on_accelerator for b in answer.leaders)) for answer in both)
        return self._bracket(dict(pays)) if self is self._first else self._first.gpu_pays

    @cached_property
    def numpy_beaten(self) -> Bracket:
        """Return the Bracket of sizes at which NumPy is no leader.

        Ignore a size if NumPy leads there and no backend other than NumPy and Python was measured on the cores.
        """
        if self is not self._first:
            return self._first.numpy_beaten
        beaten = {
            answer: not any(b.case.is_baseline for b in answer.leaders) for answer in self.at_sizes if answer.numpy
        }
        return self._bracket({answer.size: pays for answer, pays in beaten.items() if pays or answer.has_rivals})

    def _bracket(self, pays):
        overtaking = verdicts.overtaking(
            {size: verdicts.FASTER if faster else verdicts.SAME for size, faster in pays.items()}
        )
        below, at = overtaking.not_faster_size, overtaking.faster_from_size
        if overtaking.crossover == "from" and below is not None and at is not None:
            return Bracket("from", below, at, between(below, at))
        most, alone = max(pays, default=math.inf), len(pays) == 1
        others = any(answer.size > most or (alone and answer.size != most) for answer in self.at_sizes)
        return Bracket(overtaking.crossover, alone=alone, up_to=most if others else None)

    @cached_property
    def has_rivals(self) -> bool:
        """Return whether a backend other than NumPy and Python was measured on the cores."""
        return self.answers.has_rivals(self.problem, self.base)

    @cached_property
    def has_gpu(self) -> bool:
        return any(best.case.on_accelerator for best in self.timed)

    @property
    def timed(self):
        """Return the implementations with a time, regardless of the place of the data."""
        return self.analysis.implementations("compute", base=self.base).get(self.problem, [])

    @cached_property
    def only_cpu(self) -> str:
        """Return as text the backends on the cores, if a GPU was measured and `has_rivals` is false; otherwise "".

        In base, return "".
        """
        if self.base or self.has_rivals or not self.has_gpu:
            return ""
        return (
            " and ".join(sorted({b.case.record.backend for b in self.timed if not b.case.on_accelerator})) or "nothing"
        )

    @cached_property
    def missing(self) -> list[SimpleNamespace]:
        return remedies.of_problem(self.analysis.problems[self.problem])


def shown(value: float | None) -> float | None:
    """Round a number to the digits that pages show, so that the page's script does not round again."""
    return None if value is None else float(f"{value:.3g}")


def on_cores(case) -> bool:
    """Return whether a case ran on the cores directly, not through a device such as an OpenCL CPU device."""
    return not case.on_accelerator and case.record.device in (None, "cpu")


def lines_of(best: choosing.Best) -> int:
    """Return the number of lines of code; 0 if it is unknown."""
    return best.case.record.source_lines or 0


def about_of(analysis: Analysis, kernel: str, implementation: str) -> ImplementationMetadata | None:
    """Return the metadata of an implementation. If its name has no metadata, use the part of the name before "@"."""
    known = analysis.kernels[kernel].implementations
    return known.get(implementation) or known.get(implementation.partition("@")[0])


def between(below: int, at: int) -> int | None:
    """Return the geometric mean of two sizes, to one significant digit; None if this size does not lie between them.

    If `below` is 0, half of `at` replaces the mean.
    """
    middle = math.sqrt(below * at) if below else at / 2
    unit = 10 ** math.floor(math.log10(middle)) if middle >= 1 else 1
    size = math.floor(middle / unit + 0.5) * unit
    return size if below < size < at else None


def places(analysis: Analysis) -> dict[str, str]:
    """Return {place of the data: its name on the page}, the default place first."""
    if not analysis.gpus:
        return ON_CORES
    pinned = any(cases.PINNED in case.record.timings for case in analysis.cases if case.ok)
    return {place: words for place, words in ON_A_GPU.items() if pinned or place != PAGE_LOCKED}
