"""What is left of a speedup after the transfers."""

from dataclasses import dataclass

from matplotlib.lines import Line2D

from accelbench.figures import style
from accelbench.figures.canvas import HATCHED, PLOT_WIDTH, decades, hatch, name_rows, plot_area, short_ratio
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
        figure, axes = plot_area(PLOT_WIDTH, ROW * len(drawn))
        axes.set_xscale("log")
        for row, each in enumerate(drawn):
            _draw_row(axes, row, each)
        axes.axvline(1, color=style.INK, linewidth=1.1, zorder=1.5)
        handles = [Line2D([], [], label=name, **_look(style.INK, mark)) for name, *mark in KINDS]
        if self.host:
            name, speedup = self.host
            handles.append(axes.axvline(speedup, **HOST, zorder=1.5, label=f"{name}, {style.ratio(speedup)}"))
        decades(axes.xaxis, short_ratio)
        name_rows(axes, [each.label for each in drawn], grid="both")
        axes.set_xlabel("speedup over NumPy")
        axes.legend(
            handles=handles, loc="lower right", bbox_to_anchor=(1, 1), ncols=2, frameon=False, handlelength=1.4,
            columnspacing=1.1, borderaxespad=0.1, handletextpad=0.4,
        )  # fmt: skip
        return figure


def _look(color, mark):
    marker, points, filled = mark
    face = color if filled else style.PAGE
    return {"color": color, "marker": marker, "markersize": points, "markerfacecolor": face, "linestyle": ""}


def _draw_row(axes, row, each):
    known = [value for value in each.speedups if value]
    axes.plot([min(known), max(known)], [row, row], color=each.color, linewidth=1.2, alpha=0.5, gid=f"line{row}-band")
    for (_, *mark), value in reversed(list(zip(KINDS, each.speedups, strict=True))):
        if value:
            axes.plot([value], [row], gid=f"line{row}-{mark[0]}", **_look(each.color, mark))
    if each.implausible:
        hatch(axes, each.speedups[:1], [row])
