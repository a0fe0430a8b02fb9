"""From what was measured to what is shown: the View that a figure's kind makes, and what every figure says beside."""

from accelbench.figures import style
from accelbench.lectures import kinds, sources
from accelbench.lectures.claims import judge
from accelbench.lectures.view import KINDS_OF_TIME, listed

FEW_SIZES = 3
GPUS_NEEDED = {"cpu": 0, "gpu": 1, "two gpus": 2}
NEEDS_IN_WORDS = {"gpu": "a GPU", "two gpus": "two GPUs"}


def make(entry, results):
    """The View of a figure, from its FigureResults."""
    view = kinds.find(entry).view(entry, results)
    view.problems = _problems(entry, results, view.timed) if view.complete else ""
    view.sentences = [*view.sentences, *(judge(claim, entry, results, values=view.values) for claim in entry.claims)]
    view.missing = [*_lacking(entry, results), *results.missing, *view.missing]
    view.sources = sources.shown(entry, results) if view.sources is None else view.sources
    return view


def _problems(entry, results, timed):
    """What was measured, in a line: each kernel with its dtypes and sizes, and the kind of time where it is one."""
    problems = {}
    for case in results.cases:
        if case.ok:
            dtypes, sizes = problems.setdefault(case.record.kernel, (set(), set()))
            dtypes.add(case.record.dtype)
            sizes.add(case.record.size)
    words = [f"{name}: {', '.join(sorted(d))}, size {_span(sorted(s))}" for name, (d, s) in problems.items()]
    times = {row.time or entry.time for row in entry.rows if row.implementation} or {entry.time}
    if words and len(times) == 1 and timed:
        words.append(KINDS_OF_TIME[times.pop()])
    return "; ".join(words)


def _span(sizes):
    if len(sizes) > FEW_SIZES:
        return f"{style.size(sizes[0])} to {style.size(sizes[-1])}"
    return listed([style.size(size) for size in sizes])


def _lacking(entry, results):
    """What hardware a figure needs and the machine does not have, in words."""
    if len(results.gpus) >= GPUS_NEEDED[entry.needs]:
        return []
    here = "one GPU" if results.gpus else "no GPU"
    return [f"the whole figure needs {NEEDS_IN_WORDS[entry.needs]}, and there is {here} here"]
