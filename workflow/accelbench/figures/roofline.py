"""How near to the roof everything comes."""

import math
from dataclasses import dataclass

import numpy as np
from matplotlib.lines import Line2D
from matplotlib.ticker import EngFormatter, LogLocator, NullLocator

from accelbench.figures import style
from accelbench.figures.canvas import BESIDE, frame, hatch, plot_area
from accelbench.figures.chart import Chart, Sign, Table

WIDTH, HEIGHT = 270, 280


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
        return [
            *(Sign("●", style.css_color(backend), backend) for backend in self.backends),
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
        figure, axes = plot_area(WIDTH, HEIGHT)
        axes.set(xscale="log", yscale="log", xlabel="arithmetic intensity (flop per byte moved)")
        axes.margins(0.12)
        for number, point in enumerate(self.shown):
            color, marker = style.color(point.backend), self.markers[point.kernel]
            look = {"color": color, "markerfacecolor": style.PAGE if point.hollow else color, "markeredgewidth": 1}
            axes.plot([point.intensity], [point.rate], marker, markersize=4.8, gid=f"point{number}", **look)
            if point.implausible:
                hatch(axes, [point.intensity], [point.rate])
        self._draw_roofs(axes)
        axes.xaxis.set_major_locator(LogLocator(numticks=7))
        axes.yaxis.set_major_locator(LogLocator(numticks=9))
        axes.xaxis.set_major_formatter(lambda x, _: f"{x:g}")
        axes.yaxis.set_major_formatter(EngFormatter("flop/s"))
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_minor_locator(NullLocator())
        axes.grid(axis="both")
        frame(axes, "left", "bottom")
        handles = [
            *(
                Line2D([], [], color=style.INK, linestyle="", marker=marker, label=f"{kernel}\n{best.told}")
                for (kernel, best), marker in zip(self.best.items(), self.markers.values(), strict=True)
            ),
            *(Line2D([], [], color=style.color(backend), linewidth=4, label=backend) for backend in self.backends),
        ]
        axes.legend(handles=handles, loc="upper left", bbox_to_anchor=(1.02, 1.02), frameon=False, handlelength=1)
        return figure

    def _draw_roofs(self, axes):
        low, high = axes.get_xlim()
        ranked = sorted(self.bandwidths.items(), key=lambda item: -item[1])
        if self.peak:  # where computing takes longer than moving is in view
            high = max(high, 3 * self.peak / ranked[0][1])
        axes.set(xlim=(low, high), ylim=(axes.get_ylim()[0], 2.4 * (self.peak or max(p.rate for p in self.shown))))
        x = np.geomspace(low, high, 200)
        for number, (_, bandwidth) in enumerate(ranked):
            look = {"linewidth": 0.6, "alpha": 0.6} if number else {"linewidth": 1.3}
            axes.plot(x, np.minimum(x * bandwidth, self.peak or math.inf), color=style.INK, zorder=1.5, **look)
        names = ", ".join(f"{name} {style.rate(b, 'B/s')}" for name, b in ranked)
        axes.annotate(names, (0, 1), xycoords="axes fraction", xytext=(0, 4), **BESIDE)
        if self.peak:
            text = f"matmul {style.rate(self.peak, 'flop/s')}"
            axes.annotate(text, (high, self.peak), xytext=(-2, 4), ha="right", **BESIDE)
