"""Which backends to learn: of each number of them the set that keeps most of what the best of all would give."""

import math
from dataclasses import dataclass
from itertools import combinations

ENOUGH = 0.99  # of the best's speed
MOST = 4  # backends of a set
EQUAL = 1e-9  # of a share: what differs by less is the same


@dataclass(frozen=True)
class Portfolio:
    """A set of backends beside NumPy and plain Python: the share of the best's speed that it keeps, a geometric mean
    over problems, and the lines of code of what is fastest with it."""

    backends: tuple[str, ...]
    share: float
    lines: int


def portfolios(problems: list[dict[str, tuple[float, int]]], known: set[str]) -> list[Portfolio]:
    """The Portfolio of no backend, of one, of two, ... that keeps most, up to the first that keeps ENOUGH; what adds
    nothing to a smaller one is left out.

    problems  of each {backend: (its least seconds, lines of that)}
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
    total, lines = 0.0, 0
    for own in problems:
        held = [own[name] for name in (*sorted(known), *chosen) if name in own]
        if not held:
            return None
        fastest = min(held)
        total += math.log(min(own.values())[0] / fastest[0])
        lines += fastest[1]
    return Portfolio(chosen, math.exp(total / len(problems)), lines)
