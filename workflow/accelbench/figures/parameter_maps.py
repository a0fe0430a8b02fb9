"""Time over two parameters, block sizes of two dimensions among them."""

import math
from dataclasses import dataclass, field
from typing import Any

from matplotlib.collections import PatchCollection
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from accelbench.figures import style
from accelbench.figures.canvas import HATCH, SMALL, frame, short_seconds
from accelbench.figures.chart import Chart, Table

MAP_WIDTH, SINGLE_MAP, WIDE_MAP, COLUMN, ROW_HEIGHT, TEXT_NEEDS = 168, 220, 400, 34, 18, 26
LEFT = 46
MOST_NARROW = 6  # columns of a map that two beside each other have room for
Place = tuple[int, int]


@dataclass(frozen=True)
class ParameterMap:
    """An implementation's times {(value across, value down): seconds}.

    missing      {place: why it has no time, in a word}
    best         the place that was chosen as the best; the fastest where none was
    tie          all that cannot be told from it
    implausible  those that the machine cannot do in that time
    """

    label: str
    color: str
    times: dict[Place, float]
    missing: dict[Place, str] = field(default_factory=dict)
    chosen: Place | None = None
    tie: list[Place] = field(default_factory=list)
    implausible: list[Place] = field(default_factory=list)

    @property
    def best(self) -> Place:
        return self.chosen or min(self.times, key=lambda place: self.times[place])

    @property
    def worst(self) -> Place:
        return max(self.times, key=lambda place: self.times[place])


@dataclass(frozen=True)
class ParameterMaps(Chart):
    """Time at each pair of values relative to the implementation's best, one map an implementation.

    `across` and `down` name the parameters. Hatched where a pair could not run or is implausible; the best framed,
    what cannot be told from it framed thinly.
    """

    maps: list[ParameterMap]
    across: str
    down: str

    def places(self):
        return {place for each in self.maps for place in (*each.times, *each.missing)}

    def table(self):
        rows = [
            [
                *place,
                *(style.seconds(m.times[place]) if place in m.times else m.missing.get(place, "") for m in self.maps),
            ]
            for place in sorted(self.places())
        ]
        return Table([self.across, self.down, *(m.label for m in self.maps)], rows)

    def draw(self):
        columns, rows = grid = tuple(sorted({place[axis] for place in self.places()}) for axis in (0, 1))
        beside = 2 if len(columns) <= MOST_NARROW and len(self.maps) > 1 else 1
        width = MAP_WIDTH if beside == 2 else min(WIDE_MAP, max(SINGLE_MAP, COLUMN * len(columns)))
        height = ROW_HEIGHT * len(rows)
        step_x, step_y = width + LEFT, height + 62
        total_x, total_y = LEFT + beside * step_x - 34, math.ceil(len(self.maps) / beside) * step_y + 6
        figure = Figure(figsize=(total_x / 72, total_y / 72))
        for number, each in enumerate(self.maps):
            row, column = divmod(number, beside)
            left, top = LEFT + column * step_x, row * step_y + 24
            box = (left / total_x, 1 - (top + height) / total_y, width / total_x, height / total_y)
            axes = figure.add_axes(box)
            _draw_cells(axes, each, grid)
            if width / len(columns) >= TEXT_NEEDS:
                _write_multiples(axes, each, grid)
            axes.set_xlabel(self.across, labelpad=1, loc="left")
            axes.set_ylabel(self.down, labelpad=1)
            _write_names(axes, each)
        return figure


def _draw_cells(axes, each, grid):
    columns, rows = grid
    fastest = each.times[each.best]

    def cells(places, inset=0.0, **look):
        side = 1 - 2 * inset
        corners = [(columns.index(x) + inset, rows.index(y) + inset) for x, y in places]
        axes.add_collection(PatchCollection([Rectangle(corner, side, side) for corner in corners], **look))

    axes.set_xlim(0, len(columns))
    axes.set_ylim(len(rows), 0)
    # The square tells apart what is nearly as good; a tenth of the speed is nothing.
    shades = [style.FULLEST * min(1.0, fastest / seconds) ** 2 for seconds in each.times.values()]
    cells(each.times, facecolors=[to_rgba(style.FASTER, shade) for shade in shades], edgecolors="none")
    hollow: dict[str, Any] = {"facecolors": "none"}
    cells(each.missing, edgecolors=style.OTHER_LIGHT, hatch="///", linewidths=0, **hollow)
    cells(each.implausible, edgecolors=style.OTHER_LIGHT, hatch=HATCH, linewidths=0, **hollow)
    tied = [place for place in each.tie if place != each.best]
    cells(tied, 0.05, edgecolors=style.INK, linewidths=0.8, **hollow)
    cells([each.best], 0.05, edgecolors=style.INK, linewidths=2.0, **hollow)
    axes.set_xticks([i + 0.5 for i in range(len(columns))], columns)
    axes.set_yticks([i + 0.5 for i in range(len(rows))], rows)
    axes.tick_params(length=0, pad=2)
    frame(axes)


def _write_multiples(axes, each, grid):
    columns, rows = grid
    fastest = each.times[each.best]
    for (x, y), seconds in each.times.items():
        place = columns.index(x) + 0.5, rows.index(y) + 0.5
        axes.text(*place, _short_multiple(seconds / fastest), ha="center", va="center", fontsize=SMALL)


def _write_names(axes, each):
    across, down = each.best
    best = f"best {across} by {down}: {short_seconds(each.times[each.best])}"
    beside = {"xycoords": "axes fraction", "textcoords": "offset points", "fontsize": SMALL}
    axes.annotate("●", (0, 1), xytext=(0, 5), color=each.color, **beside)
    axes.annotate(each.label, (0, 1), xytext=(12, 5), **beside)
    axes.annotate(best, (1, 0), xytext=(0, -16), ha="right", va="top", **beside)


def _short_multiple(value):
    if value >= 999.5:
        return f"{value / 1000:.0f}k"
    return f"{value:.0f}" if value >= 9.95 else f"{value:.2f}" if value < 1.095 else f"{value:.1f}"
