"""Chart: base class of all figures."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from matplotlib.figure import Figure  # not imported at run time: reading entries of figures needs no Matplotlib


class Sign(NamedTuple):
    """An entry of a figure's key: a sign, its CSS colour and its label, and the number of its line or None."""

    sign: str
    color: str
    label: str
    line: int | None = None
    muted: bool = False


class Table(NamedTuple):
    """Numbers of a figure as texts, with the headings of their columns."""

    columns: Sequence[Any] = ()
    rows: Sequence[Sequence[Any]] = ()


class Chart:
    """Base class of figures. Each kind of figure is a subclass: a frozen dataclass of the figure's data.

    Colours, sizes and ticks come from `style` and `canvas`. A Chart reads and writes no files.
    """

    def draw(self) -> "Figure":
        """Return the Figure. Elements that the page's script needs have the ids line<number>-... and point<number>."""
        raise NotImplementedError

    def table(self) -> Table:
        """Return the numbers of the figure as a table."""
        return Table()

    def key(self) -> list[Sign]:
        """Return the key of the figure's lines, for screens that are too narrow for labels in the figure."""
        return []

    def points(self) -> list[str]:
        """Return the tooltips of the elements drawn as point<number>."""
        return []

    def alt_text(self) -> str:
        """Return a description of the figure's content; "" if the Chart cannot describe itself."""
        return ""


@dataclass(frozen=True)
class Drawing(Chart):
    """A figure without a table that is drawn by a function."""

    draw: Callable[[], "Figure"]
