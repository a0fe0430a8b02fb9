"""Figures of the kind `pool`: what CuPy's memory pools hold while an array comes and goes, beside the slide's comments
and its print."""

import json
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

from pydantic import BaseModel

from accelbench.figures import style
from accelbench.figures.chart import Table
from accelbench.lectures.kind import Kind
from accelbench.lectures.sources import Source, SourceText
from accelbench.lectures.value import NOTHING
from accelbench.lectures.view import EMPTY, View, listed, nothing
from accelbench.model.machine import Whole

TIMEOUT_S = 120
WALK = Path(__file__).parents[1] / "pool_walk.py"
PINNED = "pinned"
NUMBERS = {"used": "bytes used", "held": "bytes held", PINNED: "free pinned blocks"}
SAID = {"comment": "in the slide's comments", "printed": "in what was printed"}
ASKED = "pinned memory is asked for"


class PoolStep(BaseModel):
    """What memory pools held after a step: bytes used and held, free blocks of pinned memory."""

    step: str
    used: Whole
    held: Whole
    pinned: Whole

    def numbers(self):
        return [getattr(self, name) for name in NUMBERS]


class PoolWalk(BaseModel):
    """What was seen of CuPy's memory pools."""

    device: str
    cupy: str
    rows: list[PoolStep]


class NoPool(BaseModel):
    """Why nothing was seen of them."""

    reason: str | None


class PoolKind(Kind):
    """The steps of pool_walk.py, and whether the pools do what the lecture says."""

    needs = ()
    as_text = True
    Observation = PoolWalk | NoPool

    def observe(self, needs, machine, scratch):
        cupy = machine.backends["cupy"]
        return walk() if cupy.available else {"reason": cupy.reason}

    def view(self, entry, results):
        from accelbench.figures.listing import Listing

        seen = results.observed
        if not isinstance(seen, PoolWalk):
            return nothing(seen.reason if seen else NOTHING)
        here = {row.step: row.numbers() for row in seen.rows}
        commented = {step.step: step.comment for step in entry.steps if step.comment}
        printed = {step.step: step.printed for step in entry.steps if step.printed}
        sentences = _tell(commented, printed, here) + _tell_of_pinned(here, f"CuPy {seen.cupy}")
        by = [commented, printed, here]
        return View(
            Listing(_listing(commented, printed, here)),
            f"On {seen.device} with CuPy {seen.cupy}. " + " ".join(sentences),
            Table(
                ["", *(f"{number}, {who}" for number in NUMBERS for who in ("comment", "printed", "here"))],
                [[step, *(_number(own, step, place) for place in range(len(NUMBERS)) for own in by)] for step in here],
            ),
            sentences=sentences,
            missing=[f"the step {s.step}: {NOTHING}" for s in entry.steps if s.step not in here],
        )

    def sources(self, entry, results):
        text = SourceText(name=WALK.name, text=WALK.read_text(encoding="utf-8"))
        walked = Source(kernel="lectures", implementation="cupy", backend="cupy", files=[text])
        return [*super().sources(entry, results), walked]


def walk():
    """A PoolWalk as plain data, or a NoPool where there is nothing to look at. In a process of its own, since a pool is
    a process's: whatever else ran before would be in the numbers."""
    program = WALK.read_text(encoding="utf-8")
    try:
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=TIMEOUT_S)
    except subprocess.TimeoutExpired:
        return {"reason": f"CuPy did not answer within {TIMEOUT_S} s"}
    if done.returncode:
        return {"reason": (done.stderr.strip().splitlines() or ["CuPy ended without a word"])[-1]}
    return json.loads(done.stdout)


def _number(numbers, step, place):
    return style.count(numbers[step][place]) if step in numbers else EMPTY


def _listing(commented, printed, here):
    """The numbers as lines side by side; of ours, those that are not what the comments say are marked."""
    columns = []
    for heading, numbers in zip([*SAID.values(), "measured here"], (commented, printed, here), strict=True):
        lines = []
        for step in here:
            words = EMPTY
            if step in numbers:
                named = zip(NUMBERS.values(), numbers[step], strict=True)
                words = ", ".join(f"{style.count(number)} {name}" for name, number in named)
            differs = numbers is here and step in commented and list(commented[step]) != here[step]
            lines += [(f"{step}:", False), (f"    {words}", differs)]
        columns.append((heading, lines))
    return [(heading, lines) for heading, lines in columns if any(text.strip() != EMPTY for text, _ in lines[1::2])]


def _tell(commented, printed, here):
    """Whether the pools do what the lecture says: the comments' numbers, and of what was printed how `used` changes,
    for it contains what ran before."""
    told = [_verdict(what, "comment", _both(commented, here, number)) for number, what in NUMBERS.items()]
    told.append(_verdict(NUMBERS[PINNED], "printed", _both(printed, here, PINNED)))
    changes = [[after - before for before, after in pairwise(own)] for own in _both(printed, here, "used")]
    told.append(_verdict("changes of the bytes used from step to step", "printed", changes))
    return [sentence for sentence in told if sentence]


def _tell_of_pinned(here, cupy):
    """Whether a pinned block that is not free was on its way back."""
    steps = list(here)
    if ASKED not in steps:
        return []
    before, after = (here[step][-1] for step in (steps[steps.index(ASKED) - 1], ASKED))
    if after > before:
        return [f"With {cupy} a pinned block was on its way back: {after} free once pinned memory is asked for."]
    return [] if after else [f"With {cupy} no pinned block is free even when pinned memory is asked for."]


def _both(said, here, number):
    """One of the numbers after each step that the lecture says something of: said there, and here."""
    place, steps = list(NUMBERS).index(number), [step for step in said if step in here]
    return [[own[step][place] for step in steps] for own in (said, here)]


def _verdict(what, who, both):
    then, now = both
    numbers = [listed([style.count(value).replace("-", "−") for value in values]) for values in (then, now) if values]
    if not numbers:
        return None
    if then == now:
        return f"Holds: {what} are the same as {SAID[who]}: {numbers[0]}."
    return f"Does not hold: {what} are {numbers[0]} {SAID[who]}, and {numbers[1]} here."
