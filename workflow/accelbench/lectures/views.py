"""From what was measured to what is shown: a Plot for each kind of figure, its table, sentences from the numbers."""

import base64
import math
from functools import partial

import numpy as np

from accelbench.analysis.cases import DEFAULT_BLOCKS
from accelbench.figures import drawing, style
from accelbench.figures.canvas import Line
from accelbench.lectures import draw, pool_view, profile_view, ways
from accelbench.lectures.claims import judge
from accelbench.lectures.measured import NOTHING, ratio, seconds_of
from accelbench.lectures.sources import annotated_scores, compare_lines
from accelbench.lectures.view import (
    KINDS_OF_TIME,
    RESIDENT,
    View,
    by_reason,
    how,
    listed,
    nothing,
    plot_of,
    transferred,
)
from accelbench.store import load

FEW_SIZES = 3
GPUS_NEEDED = {"cpu": 0, "gpu": 1, "two gpus": 2}
NEEDS_IN_WORDS = {"gpu": "a GPU", "two gpus": "two GPUs"}


def make(entry, measured):
    """The View of a figure."""
    view = MAKERS[entry.kind](entry, measured)
    view.problems = _problems(entry, measured) if view.complete else ""
    value_of = partial(VALUES.get(entry.kind, ways.value_of), entry=entry, measured=measured)
    view.sentences += [judge(claim, entry, measured, value_of) for claim in entry.claims]
    view.missing = [*_lacking(entry, measured), *measured.missing, *view.missing]
    return view


def _problems(entry, measured):
    """What was measured, in a line: each kernel with its dtypes and sizes, and the kind of time where it is one."""
    found = {}
    for case in measured.cases:
        if case.ok:
            dtypes, sizes = found.setdefault(case.record.kernel, (set(), set()))
            dtypes.add(case.record.dtype)
            sizes.add(case.record.size)
    words = [
        f"{name}: {', '.join(sorted(dtypes))}, size {_span(sorted(sizes))}" for name, (dtypes, sizes) in found.items()
    ]
    kinds = {row.time or entry.time for row in entry.rows if row.implementation} or {entry.time}
    if words and len(kinds) == 1 and entry.kind in ("ways", "size", "blocks", "map", "code"):
        words.append(KINDS_OF_TIME[kinds.pop()])
    return "; ".join(words)


def _span(sizes):
    if len(sizes) > FEW_SIZES:
        return f"{style.size(sizes[0])} to {style.size(sizes[-1])}"
    return listed([style.size(size) for size in sizes])


def _lacking(entry, measured):
    """What hardware a figure needs and the machine does not have, in words."""
    if len(measured.gpus) >= GPUS_NEEDED[entry.needs]:
        return []
    here = "one GPU" if measured.gpus else "no GPU"
    return [f"the whole figure needs {NEEDS_IN_WORDS[entry.needs]}, and there is {here} here"]


# size: lines over the size


def _best_lines(entry, measured, x_of, value_of):
    """[Line]: each implementation, device and thread count that is drawn, by the fastest of the rest at each x."""
    groups = {}
    for case in measured.cases:
        r = case.record
        if entry.draws(case.record.implementation):
            groups.setdefault((r.kernel, r.implementation, r.device, r.threads), {}).setdefault(x_of(case), []).append(
                case
            )
    several = len({kernel for kernel, *_ in groups}) > 1
    backends = {case.record.implementation: case.record.backend for case in measured.cases}
    looks = style.looks(dict(sorted(backends.items())))
    threads = {}
    for kernel, name, device, count in groups:
        threads.setdefault((kernel, name, device), set()).add(count)
    lines = []
    for (kernel, name, device, count), cases in groups.items():
        points = [(x, *value_of(found)) for x, found in sorted(cases.items()) if x is not None]
        points = [point for point in points if point[1] is not None]
        if not points:
            continue
        counts = threads[kernel, name, device]
        label = f"{kernel}: {name}" if several else name
        label += f" · {style.short_device(device)}" if device not in (None, "cpu") else ""
        label += f" · {count}T" if len(counts) > 1 else ""
        thin = len(counts) > 1 and count == min(counts)
        lines.append(Line(label, looks[name], *map(list, zip(*points, strict=True)), thin))
    return sorted(lines, key=lambda line: line.y[-1], reverse=True)


def _time_of_fastest(entry, measured, cases):
    """(seconds, low and high end of their interval) of the fastest of some cases."""
    value = measured.fastest(cases, entry.time)
    timing = value.case and value.case.timing(entry.time)
    return value.seconds, timing and timing.ci_low_s, timing and timing.ci_high_s


def _size(entry, measured):
    if entry.show == "ratio":

        def value_of(cases):
            value = measured.fastest(cases, entry.time)
            found = ratio(_reference(entry, measured, cases[0]), value, measured.within)
            return found.ratio, found.low or found.ratio, found.high or found.ratio

    else:
        value_of = partial(_time_of_fastest, entry, measured)

    lines = _best_lines(entry, measured, lambda case: case.record.size or None, value_of)
    if not lines:
        return nothing(entry, _why(entry, measured))
    show = style.ratio if entry.show == "ratio" else style.seconds
    card = measured.cards[measured.cases[0].record.kernel]
    over = None if entry.show == "time" else entry.over or card["baseline"]
    arguments = {
        "lines": lines,
        "x_label": card["size"],
        "what": "time" if entry.show == "time" else "ratio",
        "over": over,
    }
    summary = f"{entry.title}: " + (f"times faster than {over}." if over else f"{KINDS_OF_TIME[entry.time]}.")
    view = View(plot_of(entry, draw.sizes, arguments, summary, *drawing.numbers(lines, "size", show)))
    view.missing = _not_drawn(entry, measured, lines)
    if over:
        view.sentences = [_told_crossing(line, over) for line in lines if line.label != over and not line.thin]
    view.sentences += _told_transfers(entry, measured)
    return view


def _told_transfers(entry, measured):
    """What is left of the largest size's times where data must be brought to the device and back, in a sentence."""
    drawn = [
        c
        for c in measured.cases
        if c.ok and c.elsewhere and entry.time in RESIDENT and entry.draws(c.record.implementation)
    ]
    largest = max((case.record.size for case in drawn), default=None)
    groups = {}
    for case in drawn:
        if case.record.size == largest:
            groups.setdefault((case.record.implementation, case.record.device), []).append(case)
    told = []
    for (name, device), cases in groups.items():
        over = _reference(entry, measured, cases[0]).case if entry.show == "ratio" else None
        if text := transferred(measured.fastest(cases, "end_to_end").case or cases[0], over):
            told.append(f"{name} · {style.short_device(device)} {text}")
    return [f"With transfers, at {style.size(largest)}: {'; '.join(told)}."] if told else []


def _reference(entry, measured, case):
    """The Value that ratios refer to at the problem of `case`: of `over`, or of the kernel's baseline."""
    kernel, _, dtype, size = case.problem
    name = entry.over or measured.cards[kernel]["baseline"]
    return measured.fastest(measured.matching(name, kernel, size, dtype, case.record.options), entry.time)


def _told_crossing(line, over):
    """From which size on a line is faster, and how fast it is at its best."""
    best = max(zip(line.y, line.x, strict=True))
    faster = [x for x, low in zip(line.x, line.low, strict=True) if low > 1]
    text = f"{line.label}: at most {style.ratio(best[0])}, at {style.size(best[1])}"
    if not faster:
        return f"{text}; nowhere faster than {over}."
    if len(faster) == len(line.x):
        return f"{text}; faster than {over} at every size."
    tail = [x for x in line.x if x >= faster[0]]
    return f"{text}; faster than {over} " + (
        f"from {style.size(faster[0])} on." if faster == tail else f"at {', '.join(map(style.size, faster))}."
    )


def _not_drawn(entry, measured, lines):
    """Implementations that were planned and have no line, with the reason."""
    names = dict.fromkeys(c.record.implementation for c in measured.cases if not c.ok)
    drawn = {line.label.split(" · ")[0].split(": ")[-1] for line in lines}
    wanted = [n for n in names if n not in drawn and entry.draws(n)]
    return by_reason((name, measured.fastest(measured.matching(name)).reason) for name in wanted)


def _why(entry, measured):
    cases = [case for case in measured.cases if entry.draws(case.record.implementation)]
    return measured.fastest([c for c in cases if not c.ok]).reason if cases else NOTHING


# blocks and map: over parameters


def _blocks(entry, measured):
    def threads_of(case):
        block = case.record.parameters.get("block_size")
        return None if block is None else math.log2(math.prod(block) if isinstance(block, (list, tuple)) else block)

    value_of = partial(_time_of_fastest, entry, measured)
    sizes = sorted({case.record.size for case in measured.cases if threads_of(case) is not None})
    lines = []
    for number, size in enumerate(sizes):
        at_size = [case for case in measured.cases if case.record.size == size]
        for line in _best_lines(entry, _Only(measured, at_size), threads_of, value_of):
            if len(sizes) > 1:
                line.label += f" · {style.size(size)}"
                line.look = line.look._replace(
                    marker=list(style.MARKERS)[number % len(style.MARKERS)],
                    dashes=style.DASHES[number % len(style.DASHES)],
                )
            lines.append(line)
    lines.sort(key=lambda line: line.y[-1], reverse=True)
    if not lines:
        return nothing(entry, _why(entry, measured))
    ticks = {x: f"{round(2**x)}" for line in lines for x in line.x}
    view = View(
        plot_of(
            entry,
            draw.blocks,
            {"lines": lines, "ticks": ticks},
            f"{entry.title}: {KINDS_OF_TIME[entry.time]} by block size.",
            *drawing.numbers(lines, "block size", style.seconds, ticks),
        )
    )
    view.sentences = [_told_blocks(line, ticks) for line in lines if len(line.x) > 1]
    view.missing = _not_drawn(entry, measured, lines)
    return view


def _told_blocks(line, ticks):
    """Which block sizes the intervals cannot tell from the fastest, and what the slowest costs."""
    best, worst = (line.y.index(choose(line.y)) for choose in (min, max))
    close = [x for x, low in zip(line.x, line.low, strict=True) if low <= line.high[best]]
    if len(close) == len(line.x):
        return f"{line.label}: {style.seconds(line.y[best])}, whatever the block size, as far as the intervals tell."
    first, last = line.x.index(close[0]), line.x.index(close[-1])
    run = len(close) > 2 and last - first == len(close) - 1
    fastest = f"{ticks[close[0]]} to {ticks[close[-1]]}" if run else listed([ticks[x] for x in close])
    tie = ", which tie" if len(close) > 1 else ""
    return (
        f"{line.label}: fastest with {fastest}{tie} ({style.seconds(line.y[best])}); "
        f"{ticks[line.x[worst]]} takes {style.ratio(line.y[worst] / line.y[best])} as long."
    )


class _Only:
    """A Measured with some of its cases."""

    def __init__(self, measured, cases):
        self._measured, self.cases = measured, cases

    def __getattr__(self, name):
        return getattr(self._measured, name)


def _map(entry, measured):
    across, up = entry.axes
    maps = {}
    for case in measured.cases:
        r, seconds = case.record, seconds_of(case, entry.time)
        if seconds and entry.draws(case.record.implementation) and all(axis in r.parameters for axis in entry.axes):
            place = r.parameters[across], r.parameters[up]
            maps.setdefault((r.size, r.implementation, r.device, r.threads), {})[place] = seconds
    if not maps:
        return nothing(entry, _why(entry, measured))
    largest = max(size for size, *_ in maps)
    shown = min((key for key in maps if key[0] == largest), key=lambda key: min(maps[key].values()))
    times = maps[shown]
    size, implementation, device, _ = shown
    xs, ys = sorted({x for x, _ in times}), sorted({y for _, y in times})
    best, worst = min(times, key=times.get), max(times, key=times.get)
    words = {name: name.replace("_", " ") for name in entry.axes}
    sentences = [
        f"{implementation} on {device} at size {style.size(size)}: the best pair is {words[across]} {best[0]} with "
        f"{words[up]} {best[1]}, {style.seconds(times[best])}.",
        f"The worst, {worst[0]} with {worst[1]}, takes {style.ratio(times[worst] / times[best])} as long.",
    ]
    for usual in times.keys() & {(min(xs), block) for block in DEFAULT_BLOCKS}:
        sentences.append(
            f"{usual[0]} with {usual[1]}, as one writes it untuned, takes {style.ratio(times[usual] / times[best])} as "
            "long: what tuning is worth here."
        )
    for (other_size, *who), others in maps.items():
        if (other_size, *who) != shown:
            pair = min(others, key=others.get)
            sentences.append(
                f"{who[0]} on {who[1]} at size {style.size(other_size)}: {pair[0]} with {pair[1]} is best, "
                f"{style.seconds(others[pair])}."
            )
    sentences += [_tuned(case, entry) for case in measured.cases if case.record.tuned and case.ok]
    rows = [[y, *(style.seconds(times.get((x, y))) for x in xs)] for y in ys]
    columns = [f"{words[up]}, by {words[across]}", *xs]
    arguments = {"times": times, "across": across, "up": up}
    return View(plot_of(entry, draw.plane, arguments, " ".join(sentences), columns, rows), sentences)


def _tuned(case, entry):
    """What a case that is tuned took from its sweep, and what it makes of it."""
    r = case.record
    pair = " with ".join(f"{name.replace('_', ' ')} {r.tuned[name]}" for name in entry.axes)
    return (
        f"{r.implementation} on {r.device} at size {style.size(r.size)} took {pair} from the sweep: "
        f"{style.seconds(seconds_of(case, entry.time))}, measured on its own."
    )


# what is no time


def _picture(entry, measured):
    picture = measured.made.get("picture")
    if picture is None:
        return nothing(entry, "; ".join(measured.missing) or NOTHING)
    rows, columns = picture["shape"]
    bits = np.unpackbits(np.frombuffer(base64.b64decode(picture["mask"]), np.uint8), count=rows * columns)
    pixels, polygon = bits.reshape(rows, columns), np.array(picture["polygon"])
    text = (
        f"{pixels.mean():.1%} of {rows} × {columns} pixels lie inside the polygon of {len(polygon)} vertices, "
        f"which crosses itself {_crossings(polygon)} times."
    )
    cells = [[str(number), *map(str, corner)] for number, corner in enumerate(polygon.tolist(), 1)]
    arguments = {"pixels": pixels, "polygon": polygon}
    return View(plot_of(entry, draw.mask, arguments, text, ("vertex", "x", "y"), cells), [text])


def _crossings(polygon):
    """How many pairs of a ring's edges cross in their interiors."""
    ends = np.roll(polygon, -1, axis=0)

    def side(a, b, c):
        return np.sign((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))

    edges = list(zip(polygon.astype(int), ends.astype(int), strict=True))
    return sum(
        side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0
        for i, (a, b) in enumerate(edges)
        for c, d in edges[i + 1 :]
    )


def _code(entry, measured):
    columns = []
    for shown in entry.code:
        card = measured.cards.get(shown.kernel)
        about = card and card["implementations"].get(shown.implementation)
        if not about:
            return nothing(entry, f"{shown.kernel}/{shown.implementation} is not there")
        columns.append((shown.implementation, about["files"][0]["text"]))
    drawn, told = _compared(columns)
    sentences = [told]
    if len(entry.slide_code) == 2:
        quoted, told = _compared([(quoted.name, quoted.text) for quoted in entry.slide_code], " on the slide")
        drawn, sentences = quoted + drawn, [told, *sentences]
    times = _side_by_side(entry, measured)
    rows = [[name, style.seconds(value.seconds) if value.case else value.reason, how(value)] for name, value in times]
    found = ratio(times[0][1], times[1][1], measured.within)
    if found.ratio:
        sentences.append(f"{times[1][0]} takes {style.ratio(1 / found.ratio)} the time of {times[0][0]}.")
    text = " ".join(sentences)
    shown = {"columns": drawn}
    view = View(plot_of(entry, draw.code, shown, text, ("", KINDS_OF_TIME[entry.time], "how"), rows), sentences)
    view.missing = [f"the time of {name}: {value.reason}" for name, value in times if value.seconds is None]
    return view


def _compared(pair, where=""):
    """Two (name, source) with each line marked that the other has not, and how many they share, in words."""
    (first, _), (second, _) = pair
    marked, same = compare_lines(*(text for _, text in pair))
    longest = max(sum(bool(line.strip()) for line, _ in lines) for lines in marked)
    columns = [(name + where, lines) for (name, _), lines in zip(pair, marked, strict=True)]
    told = f"{same} of {longest} lines are the same in {first} and {second}{where}; the others are marked."
    return columns, told


def _side_by_side(entry, measured):
    """[(implementation, Value)] of the two sources: both on a GPU where they have times of one: a time of the
    processor says nothing beside one of a GPU."""
    for device in ("gpu", None):
        times = [
            (name, measured.fastest(measured.matching(name, shown.kernel, device=device), entry.time))
            for shown in entry.code
            for name in [shown.implementation]
        ]
        if all(value.seconds for _, value in times):
            break
    return times


def _annotations(entry, measured):
    files = {
        name: annotated_scores(path.read_text(encoding="utf-8"))
        for (_, name, _), path in load.annotated_pages(measured.cards, measured.home).items()
        if entry.draws(name)
    }
    if not files:
        return nothing(entry, "; ".join(measured.missing) or "no page of Cython's was built")
    rows = [[name, len(scores), sum(s > 0 for s in scores), sum(scores)] for name, scores in files.items()]
    most, least = max(rows, key=lambda row: row[3]), min(rows, key=lambda row: row[3])
    text = (
        f"Of {most[1]} lines of {most[0]} {most[2]} call into Python; of {least[1]} lines of {least[0]} {least[2]} do."
    )
    columns = ("source", "lines", "that call into Python", "sum of scores")
    return View(plot_of(entry, draw.annotated, {"files": files}, text, columns, rows), [text])


MAKERS = {
    "ways": ways.make,
    "size": _size,
    "blocks": _blocks,
    "map": _map,
    "picture": _picture,
    "pool": pool_view.make,
    "code": _code,
    "profile": profile_view.make,
    "annotations": _annotations,
}
VALUES = {"profile": profile_view.value_of}  # of a row, where that is no case
