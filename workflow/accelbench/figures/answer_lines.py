"""Times against size, beside the size that is asked about."""

from dataclasses import dataclass

from accelbench.figures import style
from accelbench.figures.canvas import SMALL
from accelbench.figures.size_lines import SizeLines


@dataclass(frozen=True)
class AnswerLines(SizeLines):
    """Lines of times where one chooses among them at one size.

    at        that size
    chosen    the label of the line that the source beside it is of
    best      (size, seconds) of the best of all, whether it has a line or not
    brackets  (what begins to pay, a size where it does not yet, the next where it does)
    """

    at: int = 1
    chosen: str = ""
    best: tuple[tuple[int, float], ...] = ()
    brackets: tuple[tuple[str, int, int], ...] = ()

    def draw(self):
        figure = super().draw()
        number = next(number for number, line in enumerate(self.lines) if line.label == self.chosen)
        for part in figure.axes[0].get_children():
            if part.get_gid() == f"line{number}-curve":
                part.set(linewidth=3)
            if part.get_gid() == f"line{number}-label":
                part.set(fontweight="bold")
        return figure

    def mark(self, axes):
        axes.plot(*zip(*self.best, strict=True), color=style.INK, alpha=0.2, linewidth=7, zorder=1, gid="best")
        axes.axvline(self.at, color=style.INK, alpha=0.5, linewidth=0.8, linestyle=(0, (2, 3)))
        for number, (who, below, at) in enumerate(self.brackets):
            axes.axvspan(max(1, below), at, color=style.FASTER, alpha=0.12, linewidth=0)
            axes.annotate(
                f"{who} ⟶", (at, 1), xycoords=("data", "axes fraction"), xytext=(0, 2 + SMALL * number),
                textcoords="offset points", ha="right", va="bottom", fontsize=SMALL,
            )  # fmt: skip
