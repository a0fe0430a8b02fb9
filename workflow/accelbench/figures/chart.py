"""Chart: base class of all figures."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from matplotlib.figure import Figure  # not at run time: reading the entries of figures needs no Matplotlib


class Sign(NamedTuple):
    """An entry of a figure's key: a sign in a CSS colour with its label, and the number of its line or None."""

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
    """Base class of figures. Subclasses are frozen dataclasses of the data, one for each kind of figure.

    Colours, sizes and ticks are those of `style` and `canvas`. A Chart reads and writes no files.
    """

    def draw(self) -> "Figure":
        """Return the Figure. Elements that the page's script needs have the ids line<number>-... and point<number>."""
        raise NotImplementedError

    def table(self) -> Table:
        """Return its numbers."""
        return Table()

    def key(self) -> list[Sign]:
        """Return the key of its lines, for screens that are too narrow for the labels in the figure."""
        return []

    def points(self) -> list[str]:
        """Return the tooltips of the elements drawn as point<number>."""
        return []

    def alt_text(self) -> str:
        """Return a description of its content as text; "" if the Chart alone does not know one."""
        return ""


@dataclass(frozen=True)
class Drawing(Chart):
    """A figure that is drawn by a function and has no table of its own."""

    draw: Callable[[], "Figure"]
