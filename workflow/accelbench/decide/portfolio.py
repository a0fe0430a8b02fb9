"""Portfolios: for each number of backends to learn, the set that comes closest to the speed of all backends."""

import math
import re
from dataclasses import dataclass
from itertools import combinations

from accelbench.analysis.choosing import Best
from accelbench.decide.answer import KNOWN, Answers, about_of, lines_of

ENOUGH = 0.99  # Portfolio.share at which the search for larger sets ends
MOST = 4  # Maximum number of backends in a set
EQUAL = 1e-9  # Difference below which two shares count as equal
COMPILER = re.compile(r"^.+?(?= \(| version | V?\d)")  # Pattern of a compiler's name: the text before its version


@dataclass(frozen=True)
class Portfolio:
    """A set of backends in addition to NumPy and plain Python.

    share  best speed of the set divided by the best speed of all backends, as the geometric mean over problems
    bests  for each problem, the fastest implementation with a backend of the set, NumPy or plain Python
    """

    backends: tuple[str, ...]
    share: float
    bests: tuple[Best, ...]

    @property
    def lines(self) -> int:
        """Return the number of lines of code of all `bests`."""
        return sum(map(lines_of, self.bests))


def portfolios(problems: list[dict[str, Best]], known: set[str]) -> list[Portfolio]:
    """Return the Portfolio with the largest share for each number of backends, from 0 to MOST.

    Stop at a share of ENOUGH. Omit a Portfolio if a smaller Portfolio has the same share. Ignore sets of backends that
    have no time for one of the problems.

    problems  {backend: its Best} of each problem
    known     backends that every Portfolio may use in addition to its own: NumPy and Python
    """
    others, best_portfolios = sorted({name for problem in problems for name in problem} - known), []
    for count in range(min(MOST, len(others)) + 1):
        several = [_portfolio(problems, known, chosen) for chosen in combinations(others, count)]
        most = max(filter(None, several), key=lambda one: round(one.share / EQUAL), default=None)
        if most and (not best_portfolios or most.share > best_portfolios[-1].share + EQUAL):
            best_portfolios.append(most)
        if best_portfolios and best_portfolios[-1].share >= ENOUGH:
            break
    return best_portfolios


def _portfolio(problems, known, chosen):
    available = [[problem[name] for name in (*sorted(known), *chosen) if name in problem] for problem in problems]
    if not all(available):
        return None
    bests = tuple(min(candidates, key=lambda best: (best.seconds, lines_of(best))) for candidates in available)
    least = (min(best.seconds for best in problem.values()) for problem in problems)
    total = sum(math.log(seconds / best.seconds) for seconds, best in zip(least, bests, strict=True))
    return Portfolio(chosen, math.exp(total / len(problems)), bests)


def of(answers: Answers, place: str, calls: int, *, base: bool = False) -> list[Portfolio]:
    """Return the Portfolios for one problem of each family (kernel, dtype and options): the one at its usual size.

    Times are those of `calls` calls with the data in `place`, in the base ranking if `base` is true.
    """
    problems = []
    for family in answers.sizes:
        ranking = answers.usual(family, place, calls, base=base).by_time
        plausible = [best for best in reversed(ranking) if not best.case.implausible]
        problems.append({best.case.record.backend: best for best in plausible})
    timed = list(filter(None, problems))
    return portfolios(timed, KNOWN) if timed else []


def needs(answers: Answers, portfolio: Portfolio) -> str:
    """Return the pip command and the compilers that a Portfolio needs, as text; "" if it needs neither."""
    known = answers.analysis.machine.backends
    versions = (known[name].versions for name in portfolio.backends if name in known)
    packages = dict.fromkeys(name for libraries in versions for name in libraries if name not in KNOWN)
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
    """Return the names of the compilers that built a record's implementation, except builds for a single device."""
    about = about_of(analysis, record.kernel, record.implementation)
    built = [artifact for artifact in about.build if artifact.outcome == "ok" and not artifact.device] if about else []
    return [match[0] for artifact in built if (match := COMPILER.match(artifact.compiler))]
