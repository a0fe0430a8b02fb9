"""Which backends to learn: of each number of them the set that keeps most of what the best of all would give."""

import math
from dataclasses import dataclass
from itertools import combinations

ENOUGH = 0.99  # of the best's speed
MOST = 4  # backends of a set
EQUAL = 1e-9  # of a share: what differs by less is the same


@dataclass(frozen=True)
class Fastest:
    """What is fastest of a backend for a problem of a kernel; `compilers` built it."""

    kernel: str
    name: str
    seconds: float
    lines: int
    compilers: tuple[str, ...] = ()


@dataclass(frozen=True)
class Portfolio:
    """A set of backends beside NumPy and plain Python: the share of the best's speed that it keeps, a geometric mean
    over problems, what is Fastest with it for each of these, and the packages to install."""

    backends: tuple[str, ...]
    share: float
    fastest: tuple[Fastest, ...]
    packages: tuple[str, ...] = ()

    @property
    def lines(self) -> int:
        """Of code, of all that is fastest with it."""
        return sum(one.lines for one in self.fastest)

    @property
    def compilers(self) -> tuple[str, ...]:
        """What builds all that is fastest with it."""
        return tuple(dict.fromkeys(name for one in self.fastest for name in one.compilers))


def portfolios(problems: list[dict[str, Fastest]], known: set[str]) -> list[Portfolio]:
    """The Portfolio of no backend, of one, of two, ... that keeps most, up to the first that keeps ENOUGH; what adds
    nothing to a smaller one is left out.

    problems  of each {backend: what is Fastest of it}
    known     what everybody has: NumPy and Python
    """
    others, found = sorted({name for own in problems for name in own} - known), []
    for count in range(min(MOST, len(others)) + 1):
        several = [_portfolio(problems, known, chosen) for chosen in combinations(others, count)]
        several = [one for one in several if one]
        if several and (not found or _most(several).share > found[-1].share + EQUAL):
            found.append(_most(several))
        if found and found[-1].share >= ENOUGH:
            break
    return found


def _most(several):
    """The one with the largest share, the first of equal ones."""
    best = several[0]
    for one in several[1:]:
        if one.share > best.share + EQUAL:
            best = one
    return best


def _portfolio(problems, known, chosen):
    total, fastest = 0.0, []
    for own in problems:
        held = [own[name] for name in (*sorted(known), *chosen) if name in own]
        if not held:
            return None
        fastest.append(min(held, key=lambda one: (one.seconds, one.lines)))
        total += math.log(min(one.seconds for one in own.values()) / fastest[-1].seconds)
    return Portfolio(chosen, math.exp(total / len(problems)), tuple(fastest))
