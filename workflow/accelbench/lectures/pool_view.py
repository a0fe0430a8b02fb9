"""Figures of the kind `pool`: what memory pools hold after each step, beside the slide's comments and its print."""

from itertools import pairwise

from accelbench.figures import style
from accelbench.lectures import draw
from accelbench.lectures.measured import NOTHING
from accelbench.lectures.view import EMPTY, View, listed, nothing, plot_of

NUMBERS = {"used": "bytes used", "held": "bytes held", "pinned": "free pinned blocks"}
SAID = {"comment": "in the slide's comments", "printed": "in what was printed"}
ASKED = "pinned memory is asked for"


def make(entry, measured):
    """The View of such a figure."""
    seen = measured.made.get("pool")
    if seen is None or "rows" not in seen:
        return nothing(entry, seen["reason"] if seen else NOTHING)
    here = {row["step"]: [row[number] for number in NUMBERS] for row in seen["rows"]}
    said = {who: {s.step: getattr(s, who) for s in entry.steps if getattr(s, who)} for who in SAID}
    sentences = _told(said, here, f"CuPy {seen['cupy']}")
    columns = ["", *(f"{number}, {who}" for number in NUMBERS for who in ("comment", "printed", "here"))]
    by = [said["comment"], said["printed"], here]
    rows = [[step, *(_number(found, step, place) for place in range(len(NUMBERS)) for found in by)] for step in here]
    summary = f"On {seen['device']} with CuPy {seen['cupy']}. " + " ".join(sentences)
    view = View(plot_of(entry, draw.code, {"columns": _drawn(said, here)}, summary, columns, rows), sentences)
    view.missing = [f"the step {s.step}: {NOTHING}" for s in entry.steps if s.step not in here]
    return view


def _number(found, step, place):
    return style.count(found[step][place]) if step in found else EMPTY


def _drawn(said, here):
    """The numbers as lines side by side; of ours, those that are not what the comments say are marked."""
    texts = {SAID[who]: said[who] for who in SAID} | {"measured here": here}
    drawn = []
    for heading, found in texts.items():
        lines = []
        for step in here:
            numbers = EMPTY
            if step in found:
                numbers = ", ".join(
                    f"{style.count(n)} {NUMBERS[name]}" for name, n in zip(NUMBERS, found[step], strict=True)
                )
            differs = found is here and step in said["comment"] and list(said["comment"][step]) != here[step]
            lines += [(f"{step}:", False), (f"    {numbers}", differs)]
        drawn.append((heading, lines))
    return [(heading, lines) for heading, lines in drawn if any(text.strip() != EMPTY for text, _ in lines[1::2])]


def _told(said, here, cupy):
    """Whether the pools do what the lecture says: the comments' numbers, of what was printed how `used` changes, for it
    contains what ran before; and whether a pinned block that is not free was on its way back."""
    told = [_verdict(NUMBERS[number], "comment", *_both(said["comment"], here, number)) for number in NUMBERS]
    told.append(_verdict(NUMBERS["pinned"], "printed", *_both(said["printed"], here, "pinned")))
    changes = [[after - before for before, after in pairwise(found)] for found in _both(said["printed"], here, "used")]
    told.append(_verdict("changes of the bytes used from step to step", "printed", *changes))
    steps = list(here)
    if ASKED in steps:
        before, after = (here[step][-1] for step in (steps[steps.index(ASKED) - 1], ASKED))
        if after > before:
            told.append(
                f"With {cupy} a pinned block was on its way back: {after} free once pinned memory is asked for."
            )
        elif not after:
            told.append(f"With {cupy} no pinned block is free even when pinned memory is asked for.")
    return [sentence for sentence in told if sentence]


def _both(said, here, number):
    """One of the numbers after each step that the lecture says something of: said there, and here."""
    place, steps = list(NUMBERS).index(number), [step for step in said if step in here]
    return [[found[step][place] for step in steps] for found in (said, here)]


def _verdict(what, who, then, now):
    numbers = [listed([style.count(value).replace("-", "−") for value in values]) for values in (then, now) if values]
    if not numbers:
        return None
    if then == now:
        return f"Holds: {what} are the same as {SAID[who]}: {numbers[0]}."
    return f"Does not hold: {what} are {numbers[0]} {SAID[who]}, and {numbers[1]} here."
