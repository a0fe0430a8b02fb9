"""What machines take for a problem, by where the data are."""

from dataclasses import dataclass

from accelbench.figures import style
from accelbench.figures.canvas import decades, name_rows, plot_area, short_seconds
from accelbench.figures.chart import Chart, Sign, Table

ROW, WIDTH = 15.0, 216  # points; no wider than a phone shows
LETTERS = 15  # of a row's name
PLACES = {  # how much of a machine's mark is filled, the sign that says so, what it means
    "resident": ("full", "●", "data resident"),
    "pinned": ("left", "◐", "from page-locked host memory and back"),
    "pageable": ("none", "○", "from pageable host memory and back"),
}


@dataclass(frozen=True)
class Dumbbell:
    """A row: a machine at a size; {place: (seconds, implementation)}."""

    machine: str
    number: int
    size: int
    times: dict[str, tuple[float, str]]

    @property
    def same(self):
        """Whether the place of the data makes no difference, as on a machine's own cores."""
        return len({seconds for seconds, _ in self.times.values()}) == 1


@dataclass(frozen=True)
class Dumbbells(Chart):
    """Rows of machines, the largest size on top: a mark a place of the data, joined; its shape and colour are the
    machine's."""

    rows: list[Dumbbell]

    def table(self):
        shown = [
            [style.size(row.size), row.machine, *(f"{style.seconds(s)} {who}" for s, who in row.times.values())]
            for row in self.rows
        ]
        return Table(["size", "machine", *PLACES], shown)

    def points(self):
        return [
            f"{row.machine}, size {style.size(row.size)}, {words}: {style.seconds(seconds)} {who}"
            for row in self.rows
            for place, (*_, words) in PLACES.items()
            for seconds, who in [row.times[place]]
        ]

    def key(self):
        return [Sign(sign, "var(--ink)", words) for _, sign, words in PLACES.values()]

    def alt_text(self):
        return " ".join(
            f"{row.machine}: {', '.join(f'{place} {style.seconds(s)}' for place, (s, _) in row.times.items())}."
            for row in self.rows
            if row.size == self.rows[0].size
        )

    def draw(self):
        figure, axes = plot_area(WIDTH, ROW * len(self.rows))
        for number, row in enumerate(self.rows):
            _draw_row(axes, number, row)
            if number and row.size != self.rows[number - 1].size:
                axes.axhline(number - 0.5, color=style.INK, linewidth=0.5, alpha=0.3)
        axes.set_xscale("log")
        decades(axes.xaxis, short_seconds)
        axes.set_xlabel("time per call")
        name_rows(axes, [f"{_short(row.machine)}  {style.size(row.size)}" for row in self.rows])
        return figure


def _draw_row(axes, number, row):
    seconds = [s for s, _ in row.times.values()]
    color, marker, _ = style.machine_look(row.number)
    axes.plot([min(seconds), max(seconds)], [number, number], color=color, linewidth=2, alpha=0.5)
    for place, (told, *_) in reversed(PLACES.items()):
        filled = "full" if row.same else told
        axes.plot(
            [row.times[place][0]], [number], marker, markersize=6.5, color=color, markerfacecoloralt=style.PAGE,
            fillstyle="full" if filled == "none" else filled, markerfacecolor=style.PAGE if filled == "none" else color,
            gid=f"point{len(PLACES) * number + list(PLACES).index(place)}",
        )  # fmt: skip


def _short(name):
    return name if len(name) <= LETTERS else f"{name[: LETTERS - 1]}…"
