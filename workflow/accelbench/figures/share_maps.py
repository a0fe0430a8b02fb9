"""Rates in per cent of the best, backends down and operations across, a map a device."""

from dataclasses import dataclass

from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from accelbench.figures import style
from accelbench.figures.canvas import COLUMN, LETTER, SMALL, name_cells
from accelbench.figures.chart import Chart, Table

ROW, HEAD, GAP = 18, 58, 6


@dataclass(frozen=True)
class ShareRow:
    """A backend's bytes per second in each column; None where it has none."""

    label: str
    color: str
    rates: list[float | None]


@dataclass(frozen=True)
class SharePanel:
    """The rows of a device; `whole` is the rate that is 100 %."""

    label: str
    whole: float
    rows: list[ShareRow]


@dataclass(frozen=True)
class ShareMaps(Chart):
    """A map for each device, below one another, their cells the fuller the greater the share; `over` is the column
    whose best rate is the whole."""

    panels: list[SharePanel]
    columns: list[str]
    over: str

    def table(self):
        rows = [
            [row.label, *(_share(rate, panel.whole) for rate in row.rates), style.rate(max(filter(None, row.rates)),
             "B/s"), panel.label]
            for panel in self.panels
            for row in panel.rows
        ]  # fmt: skip
        return Table(["", *self.columns, "at most", "on"], rows)

    def draw(self):
        left = 30 + LETTER * max(len(row.label) for panel in self.panels for row in panel.rows)
        width = COLUMN * len(self.columns)
        total_x = max(left + width + 12, *(24 + LETTER * len(panel.label) for panel in self.panels))
        heights = [ROW * len(panel.rows) for panel in self.panels]
        total_y = sum(heights) + (HEAD + GAP) * len(heights)
        figure, top = Figure(figsize=(total_x / 72, total_y / 72)), HEAD
        for panel, height in zip(self.panels, heights, strict=True):
            box = (left / total_x, 1 - (top + height) / total_y, width / total_x, height / total_y)
            axes = figure.add_axes(box)
            _draw_cells(axes, panel, self.columns)
            words = f"100% is {style.rate(panel.whole, 'B/s')}, the fastest {self.over}"
            for text, above in ((panel.label, 36), (words, 22)):
                axes.annotate(text, (0, 1), xycoords="axes fraction", xytext=(12 - left, above),
                              textcoords="offset points", fontsize=SMALL)  # fmt: skip
            top += height + GAP + HEAD
        return figure


def _share(rate, whole):
    return "" if rate is None else f"{rate / whole:.0%}"


def _draw_cells(axes, panel, columns):
    for y, row in enumerate(panel.rows):
        for x, rate in enumerate(row.rates):
            if rate is not None:
                shade = to_rgba(style.FASTER, style.FULLEST * min(1.0, rate / panel.whole))
                axes.add_patch(Rectangle((x + 0.02, y + 0.04), 0.96, 0.92, facecolor=shade, linewidth=0))
                axes.text(x + 0.5, y + 0.5, _share(rate, panel.whole), ha="center", va="center", fontsize=SMALL)
    name_cells(axes, panel.rows, columns)
    axes.tick_params(axis="x", pad=2)
