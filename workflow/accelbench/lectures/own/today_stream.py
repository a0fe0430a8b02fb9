"""How fast each backend moves data: bytes per second of its fastest case at its largest size in each row's kernel, in
per cent of the fastest copy on the same device. A map a device."""

from collections import defaultdict
from functools import partial
from typing import NamedTuple

from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from accelbench.figures import style
from accelbench.figures.canvas import COLUMN, LETTER, SMALL, name_cells
from accelbench.figures.chart import Drawing, Table
from accelbench.lectures.lines import left_out
from accelbench.lectures.value import fastest
from accelbench.lectures.view import View, by_reason, nothing

OVER = "copy"  # label of the row whose fastest is 100 %
ROW, HEAD, GAP = 18, 58, 6


class BackendRow(NamedTuple):
    """A backend's bytes per second in each row of the entry; None where it has none."""

    label: str
    color: str
    rates: list[float | None]


class Panel(NamedTuple):
    """The BackendRows of a device, the fastest to copy on top; `whole` is the rate that is 100 %."""

    label: str
    whole: float
    rows: list[BackendRow]

    @property
    def words(self):
        return f"100% is {style.rate(self.whole, 'B/s')}, the fastest {OVER}"

    def share(self, rate):
        return "" if rate is None else f"{rate / self.whole:.0%}"


def view(entry, results):
    """Return the View of all devices on which any backend copied."""
    cases = {row.label: results.matching(row.implementation, kernel=row.kernel, dtype=row.dtype) for row in entry.rows}
    rates = _rates(cases, entry.time)
    missing = [*_missing(cases, rates), *left_out(entry, results)]
    panels = [
        panel for device, own in rates.items() if (panel := _panel(device or results.machine.hardware, own, [*cases]))
    ]
    if not panels:
        return nothing("; ".join(missing) or f"{OVER} was not measured")
    rows = [
        [row.label, *map(panel.share, row.rates), style.rate(max(filter(None, row.rates)), "B/s"), panel.label]
        for panel in panels
        for row in panel.rows
    ]
    return View(
        Drawing(partial(_draw, panels, [*cases])),
        f"{entry.title}, in % of the fastest {OVER}.",
        Table(["", *cases, "at most", "on"], rows),
        sentences=[_tell(panel, cases) for panel in panels],
        missing=missing,
    )


def _device(case):
    """The name of an accelerator; None for the machine's own cores."""
    return case.record.device if case.on_accelerator else None


def _rates(cases, kind):
    """{device: {(backend, label of the row): bytes per second}}; the machine's own cores come first."""
    rates, groups = defaultdict(dict, {None: {}}), defaultdict(list)
    for label, of_row in cases.items():
        for case in of_row:
            if case.ok:
                groups[_device(case), case.record.backend, label].append(case)
    for (device, backend, label), own in groups.items():
        largest = max(case.record.size for case in own)
        value = fastest([case for case in own if case.record.size == largest], kind)
        if value.seconds is not None:
            moved = value.case.record.bytes_read + value.case.record.bytes_written
            rates[device][backend, label] = moved / value.seconds
    return rates


def _panel(device, rates, labels):
    """The Panel of a device; None where nothing copied there."""
    copies = {backend: rate for (backend, label), rate in rates.items() if label == OVER}
    backends = sorted({backend for backend, _ in rates}, key=lambda name: (-copies.get(name, 0), name))
    rows = [BackendRow(name, style.color(name), [rates.get((name, label)) for label in labels]) for name in backends]
    return Panel(device, max(copies.values()), rows) if copies else None


def _missing(cases, rates):
    """Backends that have no number on any device, and those that lack one in some rows of a device, with the reason."""
    shown, failed = {backend for found in rates.values() for backend, _ in found}, defaultdict(list)
    for label, of_row in cases.items():
        for case in of_row:
            backend = case.record.backend
            if not case.ok and (backend, label) not in rates.get(_device(case), {}):
                failed[f"{backend}, {label}" if backend in shown else backend].append(case)
    return by_reason((name, fastest(of_name).reason) for name, of_name in failed.items())


def _tell(panel, labels):
    """What the whole is, and who is farthest from it."""
    rates = ((rate, row.label, label) for row in panel.rows for rate, label in zip(row.rates, labels, strict=True))
    least, backend, label = min(each for each in rates if each[0])
    whole = f"{panel.words} here, by {panel.rows[0].label}"
    return f"{panel.label}: {whole}; the least is {panel.share(least)}, {label} by {backend}."


def _draw(panels, columns):
    """Draw a map for each device, below one another, their cells the fuller the greater the share."""
    left = 30 + LETTER * max(len(row.label) for panel in panels for row in panel.rows)
    width = COLUMN * len(columns)
    total_x = max(left + width + 12, *(24 + LETTER * len(panel.label) for panel in panels))
    total_y = sum(ROW * len(panel.rows) + HEAD + GAP for panel in panels)
    figure, top = Figure(figsize=(total_x / 72, total_y / 72)), HEAD
    for panel in panels:
        height = ROW * len(panel.rows)
        axes = figure.add_axes((left / total_x, 1 - (top + height) / total_y, width / total_x, height / total_y))
        _draw_cells(axes, panel, columns)
        for text, above in ((panel.label, 36), (panel.words, 22)):
            axes.annotate(text, (0, 1), xycoords="axes fraction", xytext=(12 - left, above),
                          textcoords="offset points", fontsize=SMALL)  # fmt: skip
        top += height + GAP + HEAD
    return figure


def _draw_cells(axes, panel, columns):
    for y, row in enumerate(panel.rows):
        for x, rate in enumerate(row.rates):
            if rate is not None:
                shade = to_rgba(style.FASTER, style.FULLEST * min(1.0, rate / panel.whole))
                axes.add_patch(Rectangle((x + 0.02, y + 0.04), 0.96, 0.92, facecolor=shade, linewidth=0))
                axes.text(x + 0.5, y + 0.5, panel.share(rate), ha="center", va="center", fontsize=SMALL)
    name_cells(axes, panel.rows, columns)
    axes.tick_params(axis="x", pad=2)
