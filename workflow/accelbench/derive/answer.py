"""Answer of `accelbench try` in the terminal: a line for each derived implementation, and a recommendation."""

import difflib
from collections import defaultdict
from dataclasses import asdict, dataclass
from itertools import chain
from pathlib import Path

from accelbench.analysis import Analysis, choices, startup
from accelbench.analysis.verdicts import DIFFERENCE, FASTER, SAME, SLOWER, overtaking
from accelbench.decide.answer import about_of, shown
from accelbench.derive import writing
from accelbench.errors import one_line
from accelbench.figures import style
from accelbench.store.load import load_results

NUMPY = "numpy_derived"
KIND = "end_to_end"  # Kind of time: a call with NumPy arrays as inputs and outputs
CALLS = 100_000  # Number of calls of the function that the recommendation assumes
VERDICTS = {FASTER: "proven", SAME: "tie with NumPy", SLOWER: "slower", None: "first look"}


@dataclass(frozen=True)
class Row:
    """Measurements of NumPy or of a derived version at the largest size.

    low      lower end of the speedup's interval, or None; `high` is the upper end
    first_s  total time of building ahead of time, `prepare` and the first call, in seconds
    lines    number of lines of code minus the baseline's number
    faster   {size: whether the version is faster than NumPy}
    built    path of the module that was built ahead of time, relative to build/<kernel>/ in the results folder; None
             if there is no such module
    """

    name: str
    seconds: float
    speedup: float
    low: float | None
    high: float | None
    first_s: float
    lines: int
    verdict: str
    faster: dict[int, bool]
    repetitions: int
    built: str | None = None

    @property
    def from_size(self):
        """Smallest measured size from which on the version is always faster than NumPy; None if there is none."""
        return overtaking({size: FASTER if is_so else SAME for size, is_so in self.faster.items()}).faster_from_size


def measured(folder, kernel):
    """Return the Rows of a kernel from a results folder, the fastest first. NumPy has a Row, too.

    Return [] if NumPy has no time at the largest size.
    """
    if not (Path(folder) / "timings" / f"{kernel}.jsonl").is_file():
        return []
    analysis, bests = Analysis(load_results(folder)), defaultdict(dict)
    for best in sorted(analysis.bests(KIND, choices.by_implementation), key=lambda best: -best.seconds):
        if best.case.record.kernel == kernel:
            # Sorted from slow to fast: the time on a faster device replaces the time on a slower device.
            bests[best.case.record.implementation][best.case.record.size] = best
    largest = max(chain.from_iterable(bests.values()), default=0)
    shared = {"baseline": bests[NUMPY].get(largest), "analysis": analysis}
    rows = [_row(name, by_size, by_size[largest], **shared) for name, by_size in bests.items() if largest in by_size]
    return sorted(rows, key=lambda row: row.seconds) if NUMPY in {row.name for row in rows} else []


def _row(name, bests, best, *, baseline, analysis):
    """Return the Row of NumPy or of a derived version.

    `bests` is {size: Best}, and `best` is the Best at the largest size.
    """
    started = analysis.startup.get(startup.key_of(best.case))
    parts = (*(started.parts[name] for name in ("build_s", "first_call_s")), started.compile_s) if started else ()
    lines, of_numpy = (contestant.case.record.source_lines or 0 if contestant else 0 for contestant in (best, baseline))
    return Row(
        name=name,
        seconds=best.seconds,
        speedup=shown(baseline.seconds) / shown(best.seconds) if baseline else 1.0,  # rounded times, as on pages
        low=best.speedup.low,
        high=best.speedup.high,
        first_s=sum(filter(None, parts)),
        lines=lines - of_numpy,
        verdict=VERDICTS.get(best.speedup.verdict, "not proven"),
        # After one repetition there is no verdict, so the ratio decides.
        faster={
            size: speedup.verdict == FASTER or (speedup.verdict is None and (speedup.ratio or 0.0) > 1 + DIFFERENCE)
            for size, speedup in ((size, other.speedup) for size, other in bests.items())
        },
        repetitions=len(best.samples),
        built=next(
            (build.path for build in about_of(analysis, best.case.record.kernel, name).build if build.path), None
        ),
    )


def take(rows):
    """Return (the recommended Row, [(a faster Row, number of calls above which the faster Row takes less time)]).

    The recommended Row has the shortest total time of `first_s` and CALLS calls. Candidates are NumPy and the Rows that
    are faster than NumPy at the largest size.
    """
    better = [row for row in rows if row.from_size is not None or row.name == NUMPY]
    taken = min(better, key=lambda row: row.first_s + CALLS * shown(row.seconds))
    faster = [row for row in better if row.seconds < taken.seconds / (1 + DIFFERENCE)]
    return taken, [(row, (row.first_s - taken.first_s) / (taken.seconds - row.seconds)) for row in faster]


def answer(rows, outcomes, observation, *, rest_s=None):
    """Return the text after a measurement: the table, the recommendation, and the path of the derived files.

    If no repetition follows, the text also contains the path of the page, and the command that copies the recommended
    implementation. If NumPy is recommended, there is no such command.

    rest_s  maximum time of the repetitions that follow, in seconds; None if no repetition follows
    """
    taken, later = take(rows)
    return writing.filled(
        "answer",
        o=observation,
        size=max(observation.sizes),
        rows=rows,
        outcomes=outcomes,
        taken=taken,
        later=later,
        numpy=next(row for row in rows if row.name == NUMPY),
        repetitions=max(row.repetitions for row in rows),
        kernel=writing.kernel_name(observation),
        rest_s=rest_s,
        seconds=lambda value: one_line(style.seconds(value)),
    )


def headline(observation):
    """Return the first line of the output, which describes the user's function."""
    return writing.filled(
        "headline", o=observation, size=max(observation.sizes), seconds=lambda value: one_line(style.seconds(value))
    )


def explain(observation, draft):
    """Return the diff from the user's source to a derived file, as lines that begin with `+`, `-` or ` `."""
    return [
        f"--- {draft.name}{draft.suffix}",
        *(
            line
            for line in difflib.ndiff(
                *map(str.splitlines, (observation.original, "\n\n".join([draft.text, *draft.extra.values()])))
            )
            if not line.startswith("?")
        ),
    ]


def as_object(rows, outcomes, observation):
    """Return the measurements and the recommendation as a mapping for --json. docs/agents.md documents the keys."""
    taken, later = take(rows) if rows else (None, [])
    return {
        "function": observation.name,
        "kernel": writing.kernel_name(observation),
        "file": observation.files[0],
        "sizes": list(observation.sizes),
        "changed": observation.changed,
        "digits": observation.digits,
        "notes": observation.notes,
        "contestants": [{"name": o.name, "state": o.state, "reason": o.reason} for o in outcomes],
        "measured": [asdict(row) | {"from_size": row.from_size} for row in rows],
        "take": taken and taken.name,
        "from_size": taken and taken.from_size,
        "pays_above_calls": {row.name: calls for row, calls in later},
    }
