"""Maps of cells: numbers as colours, with a text in each."""

import seaborn
from matplotlib.colors import LinearSegmentedColormap, to_rgba
from matplotlib.patches import Rectangle

from accelbench.figures import style
from accelbench.figures.canvas import COLUMN, HATCH, SMALL

# From -1 to 1: orange, clear, blue. Clear in the middle works on a light and on a dark page.
SHADES = LinearSegmentedColormap.from_list(
    "shades",
    [
        (0, to_rgba(style.SLOWER, style.FULLEST)),
        (0.5, to_rgba(style.SLOWER, 0)),
        (0.5, to_rgba(style.FASTER, 0)),
        (1, to_rgba(style.FASTER, style.FULLEST)),
    ],
)


def draw_cells(axes, shades, texts, *, colors=()):
    """Draw a frame of SHADES with a frame of texts; a missing shade is a blank. Rows have dots of these colours."""
    look = {"linewidths": 1, "linecolor": style.PAGE, "annot_kws": {"color": style.INK, "fontsize": SMALL}}
    seaborn.heatmap(shades, ax=axes, vmin=-1, vmax=1, cmap=SHADES, annot=texts, fmt="", cbar=False, **look)
    axes.set(xlabel="", ylabel="")
    axes.tick_params(length=0)
    axes.tick_params(axis="y", rotation=0, pad=16 if colors else 2)
    for y, color in enumerate(colors):
        axes.plot([-9 / COLUMN], [y + 0.5], "o", color=color, markersize=6, markeredgewidth=0, clip_on=False)


def frame_cell(axes, x, y, *, hatched):
    """Mark the cell of a column and a row: by a frame, or by lines across it."""
    look = (
        {"hatch": HATCH, "edgecolor": style.OTHER_LIGHT, "linewidth": 0}
        if hatched
        else {"edgecolor": style.INK, "linewidth": 2.0}
    )
    axes.add_patch(Rectangle((x, y), 1, 1, fill=False, **look))
