"""Listings that show texts side by side and mark some lines. The texts are sources or outputs of programs."""

from dataclasses import dataclass

from matplotlib.colors import to_rgba
from matplotlib.patches import Rectangle

from accelbench.figures import canvas, chart, style

TEXT, LETTER, LINE = 7.5, 4.7, 10.5  # Font size, width of a letter and height of a line, in points
NARROWEST = 24  # Minimum width of a column, in characters
LONGEST = 96  # Maximum length of a drawn line, in characters; longer lines are cut and end in an ellipsis
LOOK = {"fontsize": TEXT, "family": "DejaVu Sans Mono", "va": "center", "parse_math": False}
MARK = to_rgba(style.SLOWER, 0.16)
NO_BREAK = "\N{NO-BREAK SPACE}"  # Replacement for spaces, since SVG collapses spaces and removes indentation


@dataclass(frozen=True)
class Listing(chart.Chart):
    """Texts in columns, side by side, with some lines marked.

    columns  [(heading, [(line, whether it is marked), ...]), ...]
    """

    columns: list[tuple[str, list[tuple[str, bool]]]]

    def draw(self):
        longest = [max([NARROWEST, *(len(text) for text, _ in lines)]) for _, lines in self.columns]
        widths = [LETTER * min(LONGEST, letters) + 16 for letters in longest]
        rows = max(len(lines) for _, lines in self.columns)
        figure, axes = canvas.plot_area(sum(widths), LINE * rows)
        axes.set(xlim=(0, sum(widths)), ylim=(rows, 0))
        axes.axis("off")
        x = 0.0
        for (heading, lines), width in zip(self.columns, widths, strict=True):
            axes.text(x, -0.9, heading, fontsize=canvas.SMALL, fontweight="bold")
            for number, (text, marked) in enumerate(lines):
                if marked and text.strip():
                    axes.add_patch(Rectangle((x - 3, number), width - 8, 1, color=MARK, linewidth=0))
                cut = (text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…").replace(" ", NO_BREAK)
                axes.text(x, number + 0.5, cut, **LOOK)
            x += width
        return figure
