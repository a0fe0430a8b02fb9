"""Chart: base class of all figures."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from matplotlib.figure import Figure  # only for type checkers, since importing Matplotlib is slow


class Sign(NamedTuple):
    """Entry of a figure's key (legend): a sign with a CSS colour and a label.

    line  number of the line or row that the entry describes; None if there is none
    """

    sign: str
    color: str
    label: str
    line: int | None = None


class Table(NamedTuple):
    """Table of a figure's numbers as texts, with headings of the columns."""

    columns: Sequence[Any] = ()
    rows: Sequence[Sequence[Any]] = ()


class Chart:
    """Base class of figures. Each kind of figure is a subclass: a frozen dataclass of the figure's data.

    Colours, sizes and ticks come from `style` and `canvas`. A Chart reads and writes no files.
    """

    def draw(self) -> "Figure":
        """Return the Matplotlib Figure. The page's script finds elements by ids line<number>-... and point<number>."""
        raise NotImplementedError

    def table(self) -> Table:
        """Return the numbers of the figure as a table."""
        return Table()

    def key(self) -> list[Sign]:
        """Return the figure's key (legend). Pages show the key on screens too narrow for the labels in the figure."""
        return []

    def points(self) -> list[str]:
        """Return the tooltips of the elements with the ids point<number>, in the order of the numbers."""
        return []

    def alt_text(self) -> str:
        """Return a description of the figure's content; "" if this kind of Chart has no description."""
        return ""


@dataclass(frozen=True)
class Drawing(Chart):
    """Figure that the function `draw` draws, and that has no table."""

    draw: Callable[[], "Figure"]
