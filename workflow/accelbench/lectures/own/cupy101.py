"""Figure of the sizes of CuPy's memory pools before, during and after an array's life.

The figure compares measured sizes with the sizes that the lecture's CuPy notebook states.
"""

import json
import sys
from itertools import pairwise
from pathlib import Path

from pydantic import BaseModel, Field

from accelbench.figures import chart, listing, style
from accelbench.lectures import measured, views
from accelbench.model.machine import Whole
from accelbench.model.metadata import SourceFile
from accelbench.processes.supervision import ask

TIMEOUT_S = 120
WALK = Path(__file__).parents[1] / "pool_walk.py"
NUMBERS = ("bytes used", "bytes held", "free pinned blocks")
COMMENTS, PRINT, PINNED = "in the slide's comments", "in the printed output", "pinned memory is asked for"
# {step of pool_walk.py: the lecture's values of NUMBERS after this step}
COMMENTED = {
    "at the start": (0, 0, 0),
    "an array of 400 bytes": (512, 512, 1),
    "the array is gone": (0, 512, 1),
    "all blocks are freed": (0, 0, 0),
}
PRINTED = {
    "at the start": (24009216, 6000000512, 1),
    "an array of 400 bytes": (24009728, 6000000512, 1),
    "the array is gone": (24009216, 6000000512, 1),
    "all blocks are freed": (24009216, 2000000512, 0),
}


class PoolStep(BaseModel):
    """State of memory pools after a step: bytes used, bytes held, and free blocks of pinned memory."""

    step: str
    used: Whole
    held: Whole
    pinned: Whole


class PoolWalk(BaseModel):
    """State of CuPy's memory pools after each step, or the reason why no state is known."""

    reason: str | None = measured.NOTHING
    device: str = ""
    cupy: str = ""
    rows: list[PoolStep] = Field(default_factory=list)


def observe_pool(parts, machine, scratch):
    """Return {"pool": PoolWalk as plain data}. If CuPy is not available, the PoolWalk contains the reason."""
    cupy = machine.backends["cupy"]
    return {"pool": walk() if cupy.available else {"reason": cupy.reason}}


def walk():
    """Run pool_walk.py, and return a PoolWalk as plain data.

    pool_walk.py runs in a new process, because CuPy's pools keep memory of earlier work in the same process.
    """
    status, output = ask([sys.executable, "-c", WALK.read_text(encoding="utf-8")], TIMEOUT_S)
    last = (output.splitlines() or ["CuPy ended without a message"])[-1]
    if status is None:
        return {"reason": f"CuPy did not answer within {TIMEOUT_S} s"}
    return {"reason": last} if status else json.loads(last)


def pool(entry, results):
    """Return the View of the pools' numbers after each step.

    The View's sentences compare the measured numbers with the lecture's numbers.
    """
    observation = results.observed("pool", PoolWalk) or PoolWalk()
    sources = [
        views.Source(
            kernel="lectures",
            implementation="cupy",
            backend="cupy",
            files=[SourceFile(name=WALK.name, text=WALK.read_text(encoding="utf-8"))],
        )
    ]
    if not observation.rows:
        return views.nothing(observation.reason, sources=sources)
    here = {row.step: (row.used, row.held, row.pinned) for row in observation.rows}
    columns = {COMMENTS: COMMENTED, PRINT: PRINTED, "measured here": here}
    cells = [
        [
            step,
            *(
                style.count(states[step][place]) if step in states else views.EMPTY
                for place in range(3)
                for states in columns.values()
            ),
        ]
        for step in here
    ]
    words = [f"{number}, {who}" for number in ("used", "held", "pinned") for who in ("comment", "printed", "here")]
    sentences = [*_compare(here), *_tell_of_pinned(here, f"CuPy {observation.cupy}")]
    return views.View(
        listing.Listing([(heading, [*_lines(states, here)]) for heading, states in columns.items()]),
        f"On {observation.device} with CuPy {observation.cupy}. " + " ".join(sentences),
        chart.Table(["", *words], cells),
        sentences=sentences,
        missing=[f"the step {step}: {measured.NOTHING}" for step in COMMENTED if step not in here],
        sources=sources,
        device=observation.device,
    )


def _lines(numbers, here):
    """Yield (line, whether it is marked) for a column of the Listing.

    A line with measured numbers is marked if the numbers differ from those in the slide's comments.
    """
    for step in here:
        words = (
            ", ".join(
                f"{style.count(number)} {name}" for name, number in zip(NUMBERS, numbers.get(step, ()), strict=False)
            )
            or views.EMPTY
        )
        yield f"{step}:", False
        yield f"    {words}", numbers is here and COMMENTED.get(step, here[step]) != here[step]


def _compare(here):
    """Yield sentences that compare measured numbers with the slide's comments and with the notebook's printed output.

    The printed output includes memory of the notebook's earlier cells. Therefore, the comparison with the printed
    output is limited to free pinned blocks and to changes of the bytes used.
    """
    steps = [step for step in COMMENTED if step in here]
    commented, printed, ours = (
        [*zip(*(states[step] for step in steps), strict=True)] for states in (COMMENTED, PRINTED, here)
    )
    if steps:
        yield from (_verdict(NUMBERS[place], COMMENTS, (commented[place], ours[place])) for place in range(3))
        yield _verdict(NUMBERS[2], PRINT, (printed[2], ours[2]))
    if steps[1:]:
        changes = [[after - before for before, after in pairwise(numbers[0])] for numbers in (printed, ours)]
        yield _verdict("changes of the bytes used from step to step", PRINT, changes)


def _verdict(what, where, both):
    then, here = (views.listed([style.count(value).replace("-", "−") for value in values]) for values in both)
    if then == here:
        return f"Holds: {what} are the same as {where}: {here}."
    return f"Does not hold: {what} are {then} {where}, and {here} here."


def _tell_of_pinned(here, cupy):
    """Yield a sentence on the number of free pinned blocks after the request for pinned memory.

    The sentence says whether CuPy returned a used block to the pool only at this request. Yield nothing if the block
    was free before the request.
    """
    for (_, before), (step, after) in pairwise(here.items()):
        if step == PINNED and after[2] > before[2]:
            yield f"With {cupy}, a pinned block becomes free only when pinned memory is requested ({after[2]} free)."
        elif step == PINNED and not after[2]:
            yield f"With {cupy}, no pinned block becomes free even when pinned memory is requested."
