"""What is left of a speedup after the transfers."""

from dataclasses import dataclass
from typing import Any

from matplotlib.lines import Line2D

from accelbench.figures import style
from accelbench.figures.canvas import (
    HATCHED,
    LETTER,
    LINE_HEIGHT,
    PLOT_WIDTH,
    TOP,
    decades,
    hatch,
    name_rows,
    plot_area,
    short_ratio,
)
from accelbench.figures.chart import Chart, Table

ROW = 17
MOST_ROWS = 14  # that are drawn; all stand in the table
KINDS = (  # what it is called, marker, its size, whether filled; a filled dot fits into a diamond
    ("resident data", "o", 3.4, True),
    ("call", "D", 6.6, False),
    ("end to end, pinned", "^", 5.2, True),
    ("end to end, pageable", "v", 5.2, False),
)
HOST = {"color": style.INK, "linewidth": 1, "linestyle": (0, (4, 2))}


@dataclass(frozen=True)
class TransferSpeedup:
    """An implementation: its speedup over NumPy, or None, for each of KINDS."""

    label: str
    color: str
    speedups: tuple[float | None, ...]
    implausible: bool = False

    @property
    def end_to_end(self) -> float:
        """From host array to host array by the better of the two kinds of memory; 0 where neither was measured."""
        return max(self.speedups[2] or 0, self.speedups[3] or 0)


@dataclass(frozen=True)
class TransferSpeedups(Chart):
    """Speedup over NumPy of what runs on a device: on resident data, as a call, from host array to host array.

    `host` is (name, speedup) of the fastest without a device, or None.
    """

    shown: list[TransferSpeedup]
    host: tuple[str, float] | None = None

    def table(self):
        return Table(
            ["implementation", *(kind for kind, *_ in KINDS)],
            [[each.label, *map(style.ratio, each.speedups)] for each in self.shown],
        )

    def alt_text(self):
        """Return the leaders; what is implausible leads nothing."""
        words = [HATCHED] if any(each.implausible for each in self.shown) else []
        believed = [each for each in self.shown if not each.implausible]
        if believed:
            first = believed[0]
            words.append(f"On resident data the lead is with {first.label}: {style.ratio(first.speedups[0])}.")
        best = max(believed, key=lambda each: each.end_to_end, default=None)
        if best and best.end_to_end:
            words.append(f"From host array to host array with {best.label}: {style.ratio(best.end_to_end)}.")
        return " ".join(words)

    def draw(self):
        drawn = self.shown[:MOST_ROWS]
        left = 30 + LETTER * max(len(each.label) for each in drawn)
        figure, axes = plot_area(left, PLOT_WIDTH, ROW * len(drawn), right=26, top=TOP + 3 * LINE_HEIGHT)
        axes.set_xscale("log")
        for row, each in enumerate(drawn):
            _draw_row(axes, row, each)
        axes.axvline(1, color=style.INK, linewidth=1.1, zorder=1.5)
        if self.host:
            axes.axvline(self.host[1], **HOST, zorder=1.5)
        low, high = axes.get_xlim()
        axes.set_xlim(min(low, 0.9), high * 1.1)
        decades(axes.xaxis, short_ratio)
        name_rows(axes, [each.label for each in drawn], grid="both")
        axes.set_xlabel("speedup over NumPy")
        self._draw_legend(axes)
        return figure

    def _draw_legend(self, axes):
        look: dict[str, Any] = {"color": style.INK, "linestyle": ""}
        handles = [
            Line2D([], [], marker=marker, markersize=points, label=name,
                   markerfacecolor=style.INK if filled else style.PAGE, **look)
            for name, marker, points, filled in KINDS
        ]  # fmt: skip
        if self.host:
            handles.append(Line2D([], [], **HOST, label=f"{self.host[0]}, {short_ratio(self.host[1])}"))
        axes.legend(
            handles=handles, loc="lower right", bbox_to_anchor=(1, 1), ncols=2, frameon=False, handlelength=1.4,
            columnspacing=1.1, borderaxespad=0.1, handletextpad=0.4,
        )  # fmt: skip


def _draw_row(axes, row, each):
    known = [value for value in each.speedups if value]
    axes.plot([min(known), max(known)], [row, row], color=each.color, linewidth=1.2, alpha=0.5, gid=f"line{row}-band")
    for (_, marker, points, filled), value in reversed(list(zip(KINDS, each.speedups, strict=True))):
        if value:
            look = {"color": each.color, "markerfacecolor": each.color if filled else style.PAGE, "markersize": points}
            axes.plot([value], [row], marker, **look, gid=f"line{row}-{marker}")
    if each.implausible:
        hatch(axes, each.speedups[:1], [row])
