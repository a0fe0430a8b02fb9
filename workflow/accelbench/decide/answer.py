"""The answer to "my problem, my size, my data: what shall I take?", from the Choices of a machine.

The page's script (report/static/decide.js) applies the same rules; a test compares the two over every state.
"""

import itertools
import math
from dataclasses import dataclass, replace
from functools import cached_property

from accelbench.analysis.verdicts import FASTER, SAME, overtaking
from accelbench.decide import words
from accelbench.decide.choices import (
    FIRST,
    IMPLAUSIBLE,
    KEPT,
    NO_VERDICT,
    PAGE_LOCKED,
    PAGEABLE,
    RESIDENT,
    SLOWER,
    SURE_WITHIN,
    Candidate,
    Choices,
    FamilyChoices,
    Reported,
    SizeChoices,
    Timed,
)
from accelbench.decide.portfolio import Fastest, Portfolio, portfolios
from accelbench.decide.remedies import Missing

EASY = 1.25  # of the best's time: among what takes no longer the least code is looked for
CALLS = 1000
KNOWN = {"numpy", "python"}  # backends that everybody has


@dataclass(frozen=True)
class State:
    """What is asked: a problem, where its data are, how many calls are made, and which kernels portfolios are over: all
    where `learn` names none."""

    kernel: str
    dtype: str
    options: str
    size: int
    place: str
    calls: int = CALLS
    learn: tuple[str, ...] = ()


@dataclass(frozen=True)
class Ranked:
    """A Candidate in this State: its time, how long all calls take with starting up, and what it costs beside the
    best."""

    candidate: Candidate
    timed: Timed
    speedup: float | None
    all_s: float | None
    loss_s: float

    @property
    def seconds(self):
        return self.timed.seconds

    @property
    def name(self):
        return words.named(self.candidate)


@dataclass(frozen=True)
class Bracket:
    """From which size on something pays, known as well as sizes were measured.

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


@dataclass(frozen=True)
class Answer:
    """What to choose in a State.

    ranking   everything Ranked, fastest first, what is implausible last
    best      the first of those that nothing is proven faster than, which are `leaders`
    first     what is Reported of it
    numpy     the fastest baseline
    least     the least code among what takes not much longer than the best
    front     what no other beats in both lines of code and time, the least code first
    soonest   what has made all calls first, starting up included
    gpu_pays, numpy_beaten  Brackets against the best alternative: of all GPUs, of all that is not NumPy
    gpu_at    what is Reported of the fastest on a GPU by the place of the data
    only_cpu  the backends that stand alone for the cores where GPUs have no rival on them; else empty
    """

    state: State
    ranking: list[Ranked]
    leaders: list[Ranked]
    first: Reported | None
    numpy: Ranked | None
    least: Ranked | None
    front: list[Ranked]
    soonest: Ranked | None
    gpu_pays: Bracket
    numpy_beaten: Bracket
    gpu_at: dict[str, Reported]
    only_cpu: str
    missing: list[Missing]
    portfolios: list[Portfolio]

    @property
    def best(self) -> Ranked | None:
        return self.leaders[0] if self.leaders else None

    @cached_property
    def sentences(self) -> list[str]:
        return words.sentences(self)


def default_state(choices: Choices, kernel: str) -> State:
    """A kernel's first family at its usual size, by way of the host where there is a GPU."""
    own = next(each for each in choices.families if each.family.kernel == kernel)
    place = next(iter(choices.places))
    return State(kernel, own.family.dtype, own.family.options, usual(own).size, place)


def usual(own: FamilyChoices) -> SizeChoices:
    """The largest size at which more than NumPy and Python was measured on the cores alone, NumPy beside it if it
    was anywhere so; the largest where there is none such."""
    timed = [problem for problem in own.problems if problem.candidates]
    rivals = [problem for problem in timed if _has_rivals(problem)]
    return ([problem for problem in rivals if _has_baseline(problem)] or rivals or timed)[-1]


def _has_rivals(problem):
    """Whether anything on the cores alone could beat NumPy."""
    return any(not c.gpu and not c.device and c.backend not in KNOWN for c in problem.candidates)


def _has_baseline(problem):
    return any(c.baseline for c in problem.candidates)


def answer(choices: Choices, state: State) -> Answer:
    """The Answer of a machine's Choices in a State."""
    own = choices.of(state.kernel, state.dtype, state.options)
    problem = own.at(state.size)
    ranking = rank(problem, state.place, state.calls)
    leaders = leading(ranking)
    sides = [(each.size, leading(rank(each, state.place, state.calls))) for each in own.problems]
    at = {place: rank(problem, place, state.calls) for place in choices.places}
    return Answer(
        state=state,
        ranking=ranking,
        leaders=leaders,
        first=_first(problem, state.place, state.calls, leaders=leaders) if leaders else None,
        numpy=next((choice for choice in ranking if choice.candidate.baseline), None),
        least=_least(ranking, leaders),
        front=_front(ranking),
        soonest=min((c for c in ranking if c.all_s is not None), key=lambda c: c.all_s, default=None),
        gpu_pays=_bracket(_gpu_sides(own, sides), sides),
        numpy_beaten=_bracket(_other_sides(own, sides), sides),
        gpu_at={place: _on_gpu(problem, place, c) for place, several in at.items() if (c := _first_gpu(several))},
        only_cpu=_only_cpu(problem),
        missing=problem.missing,
        portfolios=_portfolios(choices, state),
    )


def timed(candidate: Candidate, place: str, calls: int) -> Timed | None:
    """What a call takes with the data in a place; kept there for `calls`, the first of them pays for both ways."""
    if place != KEPT:
        return candidate.timed.get(place)
    once, later = candidate.timed.get(PAGE_LOCKED) or candidate.timed.get(PAGEABLE), candidate.timed.get(RESIDENT)
    if not once or not later:
        return None

    def shared(first, others):
        return None if first is None or others is None else (first + (calls - 1) * others) / calls

    return Timed(
        seconds=shared(once.seconds, later.seconds),
        low=shared(once.low, later.low),
        high=shared(once.high, later.high),
        standing=IMPLAUSIBLE if IMPLAUSIBLE in (once.standing, later.standing) else NO_VERDICT,
        sure=min(once.sure, later.sure),
        flags=once.flags | later.flags,
        repetitions=min(once.repetitions, later.repetitions),
        of_peak=later.of_peak,
        parameters=later.parameters,
        clocks=later.clocks,
        strip=later.strip,
    )


def _as_measured(problem: SizeChoices, place: str, calls: int) -> str:
    """Where data kept for one call are: they are brought there and back by it."""
    if place != KEPT or calls != 1:
        return place
    return PAGE_LOCKED if any(PAGE_LOCKED in c.timed for c in problem.candidates) else PAGEABLE


def rank(problem: SizeChoices, place: str, calls: int) -> list[Ranked]:
    """Every Candidate that has a time there, as Choices in the order of their times, what is implausible last."""
    place = _as_measured(problem, place, calls)
    found = [(c, t) for c in problem.candidates if (t := timed(c, place, calls))]
    found.sort(key=lambda pair: (pair[1].standing == IMPLAUSIBLE, pair[1].seconds, pair[0].name, pair[0].device))
    numpy_s = next((t.seconds for c, t in found if c.baseline), None)
    best_s = found[0][1].seconds if found else 0.0
    return [
        Ranked(
            candidate=c,
            timed=t,
            speedup=t.speedup if place != KEPT else numpy_s and numpy_s / t.seconds,
            all_s=None if c.startup_s is None else c.startup_s + calls * t.seconds,
            loss_s=max(0.0, t.seconds - best_s),
        )
        for c, t in found
    ]


def leading(ranking: list[Ranked]) -> list[Ranked]:
    """Those that nothing is proven faster than, and what has the lowest time, should its rounds say otherwise. Where
    times were put together of two, intervals that overlap are not told apart, up to the first that is: what is slower
    still scatters too much to say. Where nothing has an interval, it is the fastest alone."""
    believed = [choice for choice in ranking if choice.timed.standing != IMPLAUSIBLE]
    if any(choice.timed.standing == FIRST for choice in believed):
        lowest = next(choice for choice in believed if choice.timed.standing != NO_VERDICT)
        return [choice for choice in believed if choice.timed.standing == FIRST or choice is lowest]
    if not believed:
        return []
    high = believed[0].timed.high
    return believed[:1] + list(itertools.takewhile(lambda choice: _overlaps(choice.timed, high), believed[1:]))


def _overlaps(timed, high):
    return timed.standing != SLOWER and high is not None and timed.low is not None and timed.low <= high


def _first(problem, place, calls, *, leaders: list[Ranked]) -> Reported:
    """What is Reported of those that lead; what one of them takes itself where that is far from it, since repetitions
    have chosen others then. Of data that are kept it is no less than of data that never move."""
    place = _as_measured(problem, place, calls)
    if place == KEPT:
        resident = leading(rank(problem, RESIDENT, calls))
        return _put_together(
            leaders[0], _first(problem, RESIDENT, calls, leaders=resident).seconds if resident else 0.0
        )
    told = problem.fastest.get(place) or _own(leaders[0])
    most = max(leaders, key=lambda choice: choice.seconds)
    if told.seconds > SURE_WITHIN * most.seconds:
        return _own(most)
    return _own(leaders[0]) if told.seconds * SURE_WITHIN < leaders[0].seconds else told


def _on_gpu(problem, place, choice: Ranked) -> Reported:
    """What is Reported of the fastest on a GPU; its own time where that was put together of two, and no less than is
    Reported of data that never move."""
    if place in problem.on_gpu:
        return problem.on_gpu[place]
    return _put_together(choice, problem.on_gpu[RESIDENT].seconds if RESIDENT in problem.on_gpu else 0.0)


def _own(choice: Ranked) -> Reported:
    return Reported(choice.seconds, choice.timed.low, choice.timed.high, choice.speedup)


def _put_together(choice: Ranked, least_s) -> Reported:
    """What a choice takes, but no less than `least_s`, all else in proportion."""
    seconds = max(choice.seconds, least_s)
    by = seconds / choice.seconds
    low, high = (end and end * by for end in (choice.timed.low, choice.timed.high))
    return Reported(seconds, low, high, choice.speedup and choice.speedup / by)


def _least(ranking, leaders):
    """The least code, of equal ones the fastest."""
    if not leaders:
        return None
    easy = [c for c in ranking if c.candidate.lines and c.seconds <= EASY * leaders[0].seconds]
    easy = [choice for choice in easy if choice.timed.standing != IMPLAUSIBLE]
    return min(easy, key=lambda choice: (choice.candidate.lines, choice.seconds), default=None)


def _front(ranking):
    """From the least code to the most, each faster than all before it."""
    found = []
    believed = [c for c in ranking if c.candidate.lines and c.timed.standing != IMPLAUSIBLE]
    for choice in sorted(believed, key=lambda c: c.candidate.lines):
        if not found or choice.seconds < found[-1].seconds:
            found.append(choice)
    return found


def _gpu_sides(own: FamilyChoices, sides):
    """{size: FASTER where GPUs alone lead, SAME where others do, too}; sizes that lack rivals of either say nothing."""
    both = {each.size for each in own.problems if _has_rivals(each) and any(c.gpu for c in each.candidates)}
    return {size: _verdict(all(c.candidate.gpu for c in lead)) for size, lead in sides if size in both and lead}


def _other_sides(own: FamilyChoices, sides):
    """{size: FASTER where NumPy is not among those that lead, else SAME}; sizes that lack NumPy say nothing, nor do
    those where it leads and had no rivals on the cores."""
    problems = {each.size: each for each in own.problems if _has_baseline(each)}
    beaten = {size: not any(c.candidate.baseline for c in lead) for size, lead in sides if size in problems and lead}
    return {size: _verdict(faster) for size, faster in beaten.items() if faster or _has_rivals(problems[size])}


def _verdict(faster):
    return FASTER if faster else SAME


def _bracket(verdicts, sides) -> Bracket:
    found = overtaking(verdicts)
    below, at = found.not_faster_size, found.faster_from_size
    if found.crossover != "from" or below is None or at is None:
        most, alone = max(verdicts, default=math.inf), len(verdicts) == 1
        others = any(lead and (size > most or (alone and size != most)) for size, lead in sides)
        return Bracket(found.crossover, alone=alone, up_to=most if others else None)
    return Bracket("from", below, at, between(below, at))


def between(below: int, at: int) -> int | None:
    """A round size about half way between two, by their logarithms; None where they are close."""
    middle = math.sqrt(below * at) if below else at / 2
    unit = 10 ** math.floor(math.log10(middle)) if middle >= 1 else 1
    size = math.floor(middle / unit + 0.5) * unit
    return size if below < size < at else None


def _first_gpu(ranking):
    return next((c for c in ranking if c.candidate.gpu and c.timed.standing != IMPLAUSIBLE), None)


def _only_cpu(problem: SizeChoices) -> str:
    """The backends that stand for all of the cores where GPUs are compared with NumPy or Python alone; else ""."""
    if _has_rivals(problem) or not any(c.gpu for c in problem.candidates):
        return ""
    return " and ".join(sorted({c.backend for c in problem.candidates if not c.gpu})) or "nothing"


def _portfolios(choices: Choices, state: State) -> list[Portfolio]:
    """Over the families of the kernels that count, each at its usual size."""
    problems = []
    for own in choices.families:
        kernel, least = own.family.kernel, {}
        if state.learn and kernel not in state.learn:
            continue
        for choice in rank(usual(own), state.place, state.calls):
            c = choice.candidate
            if choice.timed.standing != IMPLAUSIBLE:
                least.setdefault(c.backend, Fastest(kernel, c.name, choice.seconds, c.lines or 0, c.compilers))
        if least:
            problems.append(least)
    found = portfolios(problems, KNOWN) if problems else []
    return [replace(one, packages=_packages(choices, one.backends)) for one in found]


def _packages(choices, backends):
    """What to install for backends beside NumPy."""
    several = (choices.packages.get(backend, "").split(", ") for backend in backends)
    return tuple(dict.fromkeys(name for own in several for name in own if name and name not in KNOWN))
