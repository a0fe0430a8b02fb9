"""A mask and the polygon it is of."""

from dataclasses import dataclass

import numpy as np
from matplotlib.colors import ListedColormap, to_rgba

from accelbench.figures import style
from accelbench.figures.canvas import plot_area
from accelbench.figures.chart import Chart, Table

SIDE = 300


@dataclass(frozen=True)
class PolygonMask(Chart):
    """`pixels`, of shape (rows, columns), y downwards as images have it, and the `polygon`'s (x, y) corners."""

    pixels: np.ndarray
    polygon: np.ndarray

    def table(self):
        corners = enumerate(self.polygon.tolist(), 1)
        return Table(("vertex", "x", "y"), [[str(number), *map(str, corner)] for number, corner in corners])

    def alt_text(self):
        rows, columns = self.pixels.shape
        return (
            f"{self.pixels.mean():.1%} of {rows} × {columns} pixels lie inside the polygon of {len(self.polygon)} "
            f"vertices, which crosses itself {crossings(self.polygon)} times."
        )

    def draw(self):
        rows, columns = self.pixels.shape
        figure, axes = plot_area(50, SIDE, SIDE * rows / columns, right=20, top=12)
        clear = to_rgba(style.PAGE, 0)
        axes.imshow(self.pixels, cmap=ListedColormap([clear, to_rgba(style.FASTER, 0.45)]), interpolation="nearest")
        arrow = {"arrowstyle": "->", "color": style.INK, "linewidth": 0.7}
        for start, end in zip(self.polygon, np.roll(self.polygon, -1, axis=0), strict=True):
            axes.annotate("", xy=end, xytext=start, arrowprops=arrow)
        axes.plot(*zip(*self.polygon, strict=True), "o", markersize=2.6, color=style.INK)
        axes.set_xlim(-0.5, columns - 0.5)
        axes.set_ylim(rows - 0.5, -0.5)
        axes.set_xlabel("x")
        axes.set_ylabel("y")
        return figure


def crossings(polygon):
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
