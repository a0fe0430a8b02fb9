"""Time, or how many times faster than another implementation, against the size."""

from dataclasses import dataclass

from accelbench.figures import style
from accelbench.figures.canvas import Line, within_reach
from accelbench.figures.drawing import numbers
from accelbench.figures.speedup_figures import against_size


@dataclass(frozen=True)
class SizeLines:
    """Lines of times, or of how many times faster they are than `over`, where that is given."""

    lines: list[Line]
    x_label: str
    over: str | None = None

    def numbers(self):
        """(columns, rows, key)."""
        return numbers(self.lines, "size", style.seconds if self.over is None else style.ratio)

    def draw(self):
        what = "time" if self.over is None else "ratio"
        figure = against_size(within_reach(self.lines), self.x_label, (), what)
        if self.over is not None:
            figure.axes[0].set_ylabel(f"times faster than {self.over}")
        return figure
