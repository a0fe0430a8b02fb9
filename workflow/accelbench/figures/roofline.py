"""How near to the roof everything comes."""

import math
from dataclasses import dataclass

import numpy as np
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from accelbench.figures import style
from accelbench.figures.canvas import (
    LETTER,
    LINE_HEIGHT,
    SMALL,
    decades,
    frame,
    hatch,
    plot_area,
    short_rate,
)
from accelbench.figures.chart import Chart, Sign, Table

WIDTH, HEIGHT, LEFT = 270, 280, 72
APART, MOST_STEPS = 5.8, 24  # points between markers, and how many times that they may be moved aside
KERNEL, BACKEND = 2.4 * LINE_HEIGHT, 1.2 * LINE_HEIGHT  # points that an entry of the key is high
FARTHEST = 10  # times the ridge: what computes even more per byte stands at the edge


@dataclass(frozen=True)
class Point:
    """An implementation under the roof: flop per byte, flop per second, and the share of the peak where it is known.

    hollow  the data fit the last-level cache
    """

    kernel: str
    label: str
    backend: str
    intensity: float
    rate: float
    hollow: bool = False
    implausible: bool = False
    fraction_of_peak: float | None = None
    block_size: str | None = None

    @property
    def told(self):
        """Who, and how near to the peak."""
        return f"{self.label}, {self.fraction_of_peak:.0%} of peak" if self.fraction_of_peak else self.label


@dataclass(frozen=True)
class Roofline(Chart):
    """Rates of all kernels' implementations on a device under its measured roofs.

    bandwidths  {"read": bytes/s, ...}
    peak        flop/s, or None where no matrix product was measured
    best        {kernel: its best}, in the order of the key
    """

    shown: list[Point]
    bandwidths: dict[str, float]
    peak: float | None
    best: dict[str, Point]

    @property
    def ridge(self) -> float:
        """Flop per byte from which computing, not moving, takes longest."""
        return self.peak / max(self.bandwidths.values()) if self.peak else math.inf

    @property
    def at_the_edge(self) -> list[str]:
        """Kernels that compute so much per byte that they stand farther out than is drawn."""
        return sorted({point.kernel for point in self.shown if point.intensity > FARTHEST * self.ridge})

    @property
    def markers(self):
        """{kernel: marker}."""
        markers = list(style.MARKERS)
        return {kernel: markers[number % len(markers)] for number, kernel in enumerate(self.best)}

    @property
    def backends(self) -> list[str]:
        """Each once, in the order of what is shown."""
        return list(dict.fromkeys(point.backend for point in self.shown))

    def table(self):
        columns = ("kernel", "implementation", "block", "flop per byte", "rate", "of peak", "in cache")
        rows = [
            [
                point.kernel,
                point.label,
                point.block_size or "–",
                style.significant(point.intensity),
                style.rate(point.rate, "flop/s"),
                f"{point.fraction_of_peak:.0%}" if point.fraction_of_peak else "–",
                "yes" if point.hollow else "no",
            ]
            for point in self.shown
        ]
        return Table(columns, rows)

    def key(self):
        colors = style.theme_variables()
        return [
            *(Sign("●", f"var({colors[style.color(backend)]})", backend) for backend in self.backends),
            *(
                Sign(style.MARKERS[marker], "var(--ink)", f"{kernel}: {self.best[kernel].told}")
                for kernel, marker in self.markers.items()
            ),
        ]

    def points(self):
        return [
            f"{kernel}, {label}: {rate}, {share} of the peak"
            for kernel, label, _, _, rate, share, _ in self.table().rows
        ]

    def alt_text(self):
        leaders = ", ".join(f"{kernel} {point.label}" for kernel, point in self.best.items())
        return f"The leaders: {leaders}."

    def draw(self):
        keys = [line for kernel, point in self.best.items() for line in (kernel, point.told)]
        columns = math.ceil(len(self.backends) / self._rows)
        right = max(40 + LETTER * max(map(len, keys)), columns * self._backend_width)
        figure, axes = plot_area(LEFT, WIDTH, self._height, right=right)
        ridge = self.ridge if self.peak else max(point.intensity for point in self.shown)
        xs = [min(point.intensity, FARTHEST * ridge) for point in self.shown]
        rates = [point.rate for point in self.shown]
        axes.set(xscale="log", yscale="log")
        axes.set_xlim(min([*xs, ridge]) / 3, max([*xs, ridge]) * 3)
        axes.set_ylim(min(rates) / 2, (self.peak or max(rates)) * 2.4)
        self._draw_roofs(axes)
        for x in set(xs):
            axes.axvline(x, color=style.INK, linewidth=0.7, alpha=0.3, linestyle=(0, (1, 2)), zorder=1.4)
        for number, (point, x, y) in enumerate(_apart(axes, self.shown, xs, ridge=self.ridge)):
            color = style.color(point.backend)
            axes.plot(
                [x], [y], self.markers[point.kernel], color=color, markeredgewidth=1, markersize=4.8,
                markerfacecolor=style.PAGE if point.hollow else color, gid=f"point{number}",
            )  # fmt: skip
            if point.implausible:
                hatch(axes, [x], [y])
        _set_ticks(axes)
        self._draw_key(axes)
        return figure

    @property
    def _rows(self):
        """Of the key's backends, in two columns where one would be higher than the plot."""
        count = len(self.backends)
        return count if KERNEL * len(self.best) + BACKEND * count <= HEIGHT else math.ceil(count / 2)

    @property
    def _height(self):
        """Points of the plot, beside which the key stands."""
        return max(HEIGHT, KERNEL * len(self.best) + BACKEND * self._rows)

    @property
    def _backend_width(self):
        """Points of an entry of the key."""
        return 30 + LETTER * max(map(len, self.backends))

    def _draw_roofs(self, axes):
        low, high = axes.get_xlim()
        x = np.geomspace(low, high, 200)
        ranked = sorted(self.bandwidths.items(), key=lambda item: -item[1])
        for number, (_, bandwidth) in enumerate(ranked):
            roof = np.minimum(x * bandwidth, self.peak or math.inf)
            axes.plot(
                x, roof, color=style.INK, linewidth=0.6 if number else 1.3, alpha=0.6 if number else 1, zorder=1.5
            )
        names = ", ".join(f"{name} {short_rate('B/s')(b)}" for name, b in ranked)
        small = {"textcoords": "offset points", "fontsize": SMALL}
        axes.annotate(names, (0, 1), xycoords="axes fraction", xytext=(0, 4), **small)
        if self.peak:
            text = f"matmul {short_rate('flop/s')(self.peak)}"
            axes.annotate(text, (high, self.peak), xytext=(-2, 4), ha="right", **small)

    def _draw_key(self, axes):
        """Each kernel's marker and its best, from the top right down, and under them each backend's colour."""
        height = self._height
        beside = {"transform": axes.transAxes, "clip_on": False}
        text = {"va": "center_baseline", "fontsize": SMALL, **beside}
        y = 1 - 4 / height
        for kernel, marker in self.markers.items():
            axes.plot([1 + 14 / WIDTH], [y], marker, color=style.INK, markersize=5.2, **beside)
            axes.text(1 + 24 / WIDTH, y, kernel, **text)
            axes.text(1 + 24 / WIDTH, y - LINE_HEIGHT / height, self.best[kernel].told, alpha=0.75, **text)
            y -= KERNEL / height
        for number, backend in enumerate(self.backends):
            column, row = divmod(number, self._rows)
            x, low = column * self._backend_width, y - row * BACKEND / height
            line = [1 + (x + 9) / WIDTH, 1 + (x + 19) / WIDTH]
            axes.plot(line, [low, low], color=style.color(backend), linewidth=4, **beside)
            axes.text(1 + (x + 24) / WIDTH, low, backend, **text)


def _set_ticks(axes):
    decades(axes.xaxis, lambda x, _: f"{x:g}")
    axes.xaxis.set_major_locator(LogLocator(numticks=7))
    axes.yaxis.set_major_locator(LogLocator(numticks=9))
    axes.yaxis.set_major_formatter(FuncFormatter(short_rate("flop/s")))
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_minor_locator(NullLocator())
    axes.set_xlabel("arithmetic intensity (flop per byte moved)")
    axes.grid(axis="both")
    frame(axes, "left", "bottom")


def _apart(axes, points, xs, *, ridge):
    """(point, x, y): of markers that would cover each other the slower is moved to the right, where the roof is higher:
    to the left it would seem to break through. From the ridge on it is flat, and they are moved away from the edge."""
    back = axes.transData.inverted()
    scale = 72 / axes.figure.dpi
    placed = []
    for point, x in sorted(zip(points, xs, strict=True), key=lambda item: -item[0].rate):
        across, up = axes.transData.transform((x, point.rate)) * scale
        step = -APART if x >= ridge else APART
        free = (
            s for s in range(MOST_STEPS) if all(math.hypot(across + s * step - a, up - u) >= APART for a, u in placed)
        )
        across += step * next(free, 0)
        placed.append((across, up))
        yield point, *back.transform((across / scale, up / scale))
