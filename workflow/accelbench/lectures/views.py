"""Content of a figure: its picture, numbers, sentences, claims and sources, and what is missing."""

import difflib
import math
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from accelbench.analysis import choices, devices
from accelbench.figures import canvas, style
from accelbench.figures.chart import Chart, Drawing, Table
from accelbench.figures.lines import Line
from accelbench.lectures import kinds, measured
from accelbench.model.metadata import SourceFile
from accelbench.model.parameters import BLOCK_SIZE

KINDS_OF_TIME = {
    "compute": "time of the computation alone",
    "throughput": "time of one call among many, launched without waiting",
    "call": "time of one call, including the wait for its end",
    "launch": "time the host spends on a launch",
    "end_to_end": "time from host arrays to host arrays",
    "end_to_end_pinned": "time from host arrays to host arrays, page-locked",
    "upload": "time of the transfer to the device",
    "download": "time of the transfer from the device",
    "upload_pinned": "time of the transfer to the device, page-locked",
    "download_pinned": "time of the transfer from the device, page-locked",
    "first_call": "time of the first call",
}
RESIDENT = ("compute", "throughput", "call")  # Kinds of time without transfers: the data stay on the device
EMPTY = "–"
TODAY = "today"  # Value of `lecture` in the entries of figures that belong to no lecture
FEW_SIZES = 3
GPUS_NEEDED = {"cpu": (0, ""), "gpu": (1, "a GPU"), "two gpus": (2, "two GPUs")}


class Source(NamedTuple):
    """Implementation whose source code the page shows."""

    kernel: str
    implementation: str
    backend: str
    files: list[SourceFile]


@dataclass
class View:
    """Content of one figure.

    chart      Chart that draws the picture
    summary    description of the picture; by default, title and sentences
    table      table of the numbers; None: the chart's table
    sentences  conclusions from the numbers
    missing    messages about parts of the figure that could not be made
    complete   False if the figure shows no measured numbers
    timed      whether the numbers come from timings; if so, `problems` may name the kind of time
    values     {label: Value} of the entry's rows, for its claims
    sources    Sources to show; None: the sources that the entry's key `code` names
    links      {implementation: path} of Cython's annotated pages, which are copied into the report's folder
    device     name of the device that the figure's observing function used (see lectures.kinds), or None
    problems   measured kernels, dtypes, sizes and kind of time, as text
    """

    chart: Chart
    summary: str = ""
    table: Table | None = None
    sentences: list = field(default_factory=list)
    missing: list = field(default_factory=list)
    complete: bool = True
    timed: bool = True
    values: dict = field(default_factory=dict)
    sources: list | None = None
    links: dict = field(default_factory=dict)
    device: str | None = None
    problems: str = ""


def make(entry, results):
    """Return the View of a figure from its FigureResults.

    The figure's drawing function makes the View. This function adds the summary, claims, missing items, sources and
    problems to the View.
    """
    view = kinds.find(entry)[0](entry, results)
    claims = [judge(claim, entry, results, values=view.values) for claim in entry.claims]
    needed, words = GPUS_NEEDED[entry.needs]
    lacking = [f"the complete figure needs {words}, and this machine has {'one GPU' if results.gpus else 'no GPU'}"] * (
        len(results.gpus) < needed
    )
    return replace(
        view,
        summary=view.summary or " ".join([entry.headline, *view.sentences]),
        sentences=[*view.sentences, *claims],
        missing=[*lacking, *results.missing, *view.missing],
        sources=shown(entry, results) if view.sources is None else view.sources,
        problems=_problems(entry, results, view.timed) if view.complete else "",
    )


def nothing(why, **given):
    """Return a View that shows only the reason `why` the figure could not be made. `given` are other fields of View."""
    text = f"Not made here: {why}"

    def draw():
        figure, axes = canvas.plot_area(420, 60)
        axes.axis("off")
        axes.text(0.5, 0.5, text, ha="center", va="center", wrap=True, alpha=0.8)
        return figure

    return View(Drawing(draw), text, complete=False, **given)


def _problems(entry, results, timed):
    """Return the measured kernels with their dtypes and sizes, as text.

    If `timed` is true and all rows show the same kind of time, the text also names this kind.
    """
    words = []
    for kernel, cases in choices.group_by(
        (case for case in results.cases if case.ok), lambda case: case.record.kernel
    ).items():
        sizes = [style.size(size) for size in sorted({case.record.size for case in cases})]
        span = f"{sizes[0]} to {sizes[-1]}" if len(sizes) > FEW_SIZES else listed(sizes)
        words.append(f"{kernel}: {', '.join(sorted({case.record.dtype for case in cases}))}, size {span}")
    times = {row.time or entry.time for row in entry.rows if row.implementation} or {entry.time}
    return "; ".join(words + [KINDS_OF_TIME[time] for time in times if words and len(times) == 1 and timed])


def by_reason(pairs):
    """Group (name, reason) pairs by reason. Return a text "name, name: reason" for each reason."""
    return [
        f"{', '.join(name for name, _ in group)}: {reason}"
        for reason, group in choices.group_by(dict.fromkeys(pairs), lambda pair: pair[1]).items()
    ]


def listed(words):
    """Return words joined to a list in English, such as "1", "1 and 2", or "1, 2 and 3"."""
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


def transferred(case, over=None):
    """Return the case's time from host arrays to host arrays, as text.

    The time with page-locked host memory follows in parentheses. If the case `over` is given, the text contains
    speedups over `over` instead of times. The text is empty for cases on the host, and for cases whose time `compute`
    already is the time of a whole call.
    """
    if not case.on_accelerator or case.timing("end_to_end") is case.timing("compute"):
        return ""
    times = [case.seconds(kind) for kind in ("end_to_end", "end_to_end_pinned")]
    base = over.seconds("end_to_end") if over else None
    words = [style.ratio(base / t) if base else style.seconds(t) for t in times if t]
    return f"{words[0]} ({words[1]})" if len(words) > 1 else "".join(words)


def how(value):
    """Return the thread count, block size, other settings and device of a Value's case, as text."""
    if value.case is None:
        return ""
    record = value.case.record
    threads = "" if record.threads in (None, 1) else f"{record.threads} threads"
    settings = [f"{'block' if name == BLOCK_SIZE else name} {given}" for name, given in sorted(record.settings.items())]
    return ", ".join(filter(None, [threads, *settings, device_name(record.device)]))


def device_name(device):
    """Return a device's short name; "" for the CPU cores of the machine."""
    return "" if device in (None, "cpu") else devices.short_device(device)


def best_lines(entry, cases, *, x_of, value_of):
    """Return a Line for each drawn combination of kernel, implementation, device and thread count.

    Lines are sorted by their last value, highest first. A point stands for all cases of its line with the same x.

    x_of      function from a case to its x; cases with x None are not drawn
    value_of  function from the cases of a point to (value of the fastest case, low and high end of its interval)
    """
    placed = [c for c in cases if entry.draws(c.record.implementation) and x_of(c) is not None]
    groups = choices.group_by(
        placed, lambda c: (c.record.kernel, c.record.implementation, c.record.device, c.record.threads)
    )
    looks = style.looks(dict(sorted((case.record.implementation, case.record.backend) for case in cases)))
    lines = []
    for (kernel, name, device, count), group in groups.items():
        points = [(x, *value_of(at_x)) for x, at_x in sorted(choices.group_by(group, x_of).items())]
        points = [point for point in points if point[1] is not None]
        counts = [threads for *place, threads in groups if place == [kernel, name, device]]
        several = len({kernel for kernel, *_ in groups}) > 1
        parts = [f"{kernel}: {name}" if several else name, device_name(device), f"{count}T" if counts[1:] else ""]
        if points:
            line = Line(" · ".join(filter(None, parts)), looks[name], *map(list, zip(*points, strict=True)))
            fewest = len(counts) > 1 and count == min(counts)
            lines.append(
                replace(line, fewest_threads=fewest, implementation=name, size=max(case.record.size for case in group))
            )
    return sorted(lines, key=lambda line: line.y[-1], reverse=True)


def time_of_fastest(kind, parts=1):
    """Return a function from cases to the time of the fastest case: (seconds, low and high end of their interval).

    The function divides all three numbers by `parts`.
    """

    def value_of(cases):
        value = measured.fastest(cases, kind)
        return tuple(seconds and seconds / parts for seconds in (value.seconds, *value.interval))

    return value_of


def not_drawn(entry, results, lines=()):
    """Return texts "names: reason" about planned implementations that have no Line in `lines`.

    A reason is, for example, that the implementation's environment is not configured.
    """
    drawn = {line.implementation for line in lines}
    reasons = {
        name: measured.fastest(results.matching(name)).reason
        for name in [case.record.implementation for case in results.cases if not case.ok]
        if name not in drawn
    }
    return by_reason((name, why) for name, why in (*reasons.items(), *results.left_out.items()) if entry.draws(name))


def why_none(entry, results):
    """Return the reason why a figure has no lines."""
    cases = [case for case in results.cases if entry.draws(case.record.implementation)]
    return measured.fastest([case for case in cases if not case.ok]).reason if cases else measured.NOTHING


def shown(entry, results):
    """Return the Sources that the entry's key `code` names and that the results contain."""
    known = [(code, results.kernels.get(code.kernel)) for code in entry.code]
    implementations = [
        (code, metadata.implementations.get(code.implementation)) for code, metadata in known if metadata
    ]
    return [Source(code.kernel, code.implementation, a.backend, a.files) for code, a in implementations if a]


def compare_lines(first, second):
    """Compare the lines of two texts.

    Return (a list [(line, whether the line differs), ...] for each text, number of common lines that are not blank).
    """
    texts = [text.strip("\n").splitlines() for text in (first, second)]
    matches = difflib.SequenceMatcher(None, *texts, autojunk=False).get_matching_blocks()
    same = [{m.a + i for m in matches for i in range(m.size)}, {m.b + i for m in matches for i in range(m.size)}]
    lines = [
        [(line, place not in common) for place, line in enumerate(text)]
        for text, common in zip(texts, same, strict=True)
    ]
    return lines, sum(not differs and bool(line.strip()) for line, differs in lines[0])


def judge(claim, entry, results, *, values):
    """Return a sentence with the claim, whether the claim holds on this machine, and the measured ratio.

    values  {label: Value} of the figure's rows
    """
    names, sides, size = (claim.faster, claim.than), [], None
    if entry.rows:
        rows = {row.label: row for row in entry.rows}
        fast, slow = (
            values[name] if rows[name].implementation else measured.Value(rows[name].recorded_s) for name in names
        )
    else:
        sides = [results.matching(name, kernel=claim.kernel, dtype=claim.dtype) for name in names]
        common = _common_sizes(sides)
        size = next(iter({"smallest": common[:1], "largest": common[-1:]}.get(claim.size, [claim.size])), None)
        fast, slow = _fastest_at(size, sides, entry)
    quoted = f"Our claim “{claim.says}”" if claim.ours else f"“{claim.says}”"
    for name, value in zip(names, (fast, slow), strict=True):
        if value.seconds is None:
            return f"{quoted} cannot be judged here: {name}: {value.reason}."
    ratio = results.ratio(slow, fast)
    least, most = claim.least, math.inf if claim.most is None else claim.most
    holds = ratio.low is not None and least <= ratio.low and ratio.high <= most
    refuted = ratio.low is not None and (ratio.high < least or ratio.low > most)
    verdict = "holds here" if holds else "does not hold here" if refuted else "is undecided here"
    if (least, most) != (1, math.inf) and any(row.unlike for row in entry.rows if row.label in names):
        verdict = "is not compared"  # the row's work differs from the lecture's, so ratios are not comparable
    sure = f"95 % interval {style.interval(ratio.low, ratio.high, style.ratio)}" if ratio.low else "without an interval"
    end = f"from {style.ratio(least)} to {style.ratio(most)}" if claim.most is not None else ""
    sure += f"; the claim requires {end or f'at least {style.ratio(least)}'}" if end or least != 1 else ""
    words = results.text(style.ratio, *ratio[:3])
    fact = (
        f"the speedup of {claim.faster} over {claim.than} is {words}"
        if words.startswith(style.UNCERTAIN)
        else f"{claim.faster} is {words} as fast as {claim.than}"
    )
    others = [other for other in _common_sizes(sides) if other != size] if holds or refuted else []
    ratios = {other: results.ratio(*reversed(_fastest_at(other, sides, entry))).ratio for other in others}
    turned = [style.size(other) for other, r in ratios.items() if r is not None and (least <= r <= most) is not holds]
    where = f" at size {style.size(size)}" if size is not None else ""
    but = f", but {'not ' if holds else ''}at {', '.join(turned)}" if turned else ""
    return f"{quoted} {verdict}: {fact}{where} ({sure}){but}{f'; {claim.but}' if claim.but else ''}."


def _common_sizes(sides):
    """Return the sizes at which both sides of a claim were measured."""
    sizes = [{case.record.size for case in cases if case.ok} for cases in sides]
    return sorted(set.intersection(*sizes)) if sizes else []


def _fastest_at(size, sides, entry):
    """Return the Value of the fastest case on each side of a claim, at one size. The size None matches any size."""
    return [
        measured.fastest([case for case in cases if size in (None, case.record.size)], entry.time) for cases in sides
    ]
