"""What every figure is, whichever page shows it: data that draws itself and tells its numbers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from matplotlib.figure import Figure  # what reads entries of figures needs no Matplotlib


class Sign(NamedTuple):
    """An entry of a key: a sign in a CSS colour, and what it stands for: a line by its number, unless it is None."""

    sign: str
    color: str
    label: str
    line: int | None = None
    muted: bool = False


class Table(NamedTuple):
    """Numbers as they are shown."""

    columns: Sequence[Any] = ()
    rows: Sequence[Sequence[Any]] = ()


class Chart:
    """A figure; its subclasses are frozen dataclasses of what it shows, one a kind of figure. Colours, sizes and ticks
    are those of `style` and `canvas`; nothing is read or saved."""

    def draw(self) -> "Figure":
        """The Figure; elements that the page tells apart have ids: line<number>-..., point<number>."""
        raise NotImplementedError

    def table(self) -> Table:
        """Its numbers."""
        return Table()

    def key(self) -> list[Sign]:
        """Return what its lines look like, for screens too narrow for the labels within it."""
        return []

    def points(self) -> list[str]:
        """Return what each element drawn as point<number> is, shown where the reader points at it."""
        return []

    def alt_text(self) -> str:
        """Return what is to be seen in it, in words, where that can be told from it alone."""
        return ""


@dataclass(frozen=True)
class Drawing(Chart):
    """A figure that a function draws, whose numbers stand elsewhere."""

    draw: Callable[[], "Figure"]
