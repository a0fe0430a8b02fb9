"""A history in a few lines, whose end says the most."""

from accelbench.compare.page import tell


def lines(timeline):
    """The runs, the change points of the newest for the worse, the worst last, and how many there are in all."""
    for number, (run, day) in enumerate(zip(timeline.runs, timeline.days, strict=True), 1):
        changed = sum(change.run == number - 1 for change in timeline.changes)
        yield f"{number}: {run.name}, {day}" + (f", {changed} cases changed" if changed else "")
    for change in reversed(timeline.slower):
        yield f"SLOWER than in run {change.since + 1}: {tell(change.pair)}"
    yield f"{len(timeline.slower)} of {timeline.judged} cases of the newest run are SLOWER than their level before"
