"""Which backends to learn: of each number of them the set that keeps most of what the best of all would give."""

import math
import re
from dataclasses import dataclass
from itertools import combinations

from accelbench.analysis.choosing import Best
from accelbench.decide.answer import KNOWN, Answers, about_of, lines_of

ENOUGH = 0.99  # of the best's speed
MOST = 4  # backends of a set
EQUAL = 1e-9  # of a share: what differs by less is the same
COMPILER = re.compile(r"^.+?(?= \(| version | V?\d)")  # its name, as it stands before its version


@dataclass(frozen=True)
class Portfolio:
    """A set of backends beside NumPy and plain Python: the share of the best's speed that it keeps, a geometric mean
    over problems, and the Best with it for each of these."""

    backends: tuple[str, ...]
    share: float
    bests: tuple[Best, ...]

    @property
    def lines(self) -> int:
        """Lines of code of the fastest implementations."""
        return sum(map(lines_of, self.bests))


def portfolios(problems: list[dict[str, Best]], known: set[str]) -> list[Portfolio]:
    """Return the Portfolio of no backend, of one, of two, ... that keeps most, up to the first that keeps ENOUGH; what
    adds nothing to a smaller one is left out.

    problems  of each {backend: its Best}
    known     what everybody has: NumPy and Python
    """
    others, found = sorted({name for own in problems for name in own} - known), []
    for count in range(min(MOST, len(others)) + 1):
        several = [_portfolio(problems, known, chosen) for chosen in combinations(others, count)]
        most = max(filter(None, several), key=lambda one: round(one.share / EQUAL), default=None)
        if most and (not found or most.share > found[-1].share + EQUAL):
            found.append(most)
        if found and found[-1].share >= ENOUGH:
            break
    return found


def _portfolio(problems, known, chosen):
    available = [[own[name] for name in (*sorted(known), *chosen) if name in own] for own in problems]
    if not all(available):
        return None
    bests = tuple(min(own, key=lambda best: (best.seconds, lines_of(best))) for own in available)
    least = (min(best.seconds for best in own.values()) for own in problems)
    total = sum(math.log(seconds / best.seconds) for seconds, best in zip(least, bests, strict=True))
    return Portfolio(chosen, math.exp(total / len(problems)), bests)


def of(answers: Answers, place: str, calls: int, *, base: bool = False) -> list[Portfolio]:
    """Return the Portfolios over all families, each at its usual size."""
    problems = []
    for family in answers.sizes:
        ranking = answers.usual(family, place, calls, base=base).by_time
        plausible = [best for best in reversed(ranking) if not best.case.implausible]
        problems.append({best.case.record.backend: best for best in plausible})
    timed = list(filter(None, problems))
    return portfolios(timed, KNOWN) if timed else []


def needs(answers: Answers, portfolio: Portfolio) -> str:
    """Return what must be installed for a Portfolio; "" for nothing."""
    known = answers.analysis.machine.backends
    versions = (known[name].versions for name in portfolio.backends if name in known)
    packages = dict.fromkeys(name for own in versions for name in own if name not in KNOWN)
    compilers = dict.fromkeys(
        name for best in portfolio.bests for name in _compilers(answers.analysis, best.case.record)
    )
    return ", ".join(
        [
            *([f"pip install {' '.join(packages)}"] if packages else []),
            *([f"with {' and '.join(compilers)}"] if compilers else []),
        ]
    )


def _compilers(analysis, record):
    """Return the names of the compilers that build it on the host."""
    about = about_of(analysis, record.kernel, record.implementation)
    built = [artifact for artifact in about.build if artifact.outcome == "ok" and not artifact.device] if about else []
    return [found[0] for artifact in built if (found := COMPILER.match(artifact.compiler))]
