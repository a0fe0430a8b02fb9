"""A figure that has nothing to show yet, and says why."""

from dataclasses import dataclass

from accelbench.figures.canvas import plot_area
from accelbench.figures.chart import Chart


@dataclass(frozen=True)
class Notice(Chart):
    """Words in the place of a figure."""

    text: str

    def draw(self):
        figure, axes = plot_area(10, 420, 60, right=10, top=10, bottom=10)
        axes.axis("off")
        axes.text(0.5, 0.5, self.text, ha="center", va="center", wrap=True, alpha=0.8)
        return figure
