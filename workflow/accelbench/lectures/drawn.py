"""view.json: what the page says of a figure that was drawn. It may be a stranger's, and its SVG stands in the page."""

import re
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, Field

from accelbench.errors import InputError
from accelbench.lectures.entries import Entry
from accelbench.lectures.measurement import AGAIN
from accelbench.lectures.sources import Link, SlideText, Source
from accelbench.model.machine import Whole
from accelbench.model.names import SCHEMA_VERSION
from accelbench.model.record import Finite
from accelbench.store import formats

FILE = "view.json"
COLOR = r"#[0-9a-f]{6}|var\(--[a-z0-9-]+\)"
SVG = re.compile(r'<svg viewBox="0 0 [\d.]+ [\d.]+" style="--natural: \d+" aria-hidden="true">(.*)</svg>\s*', re.DOTALL)
PlainCell = str | int | Finite | None
# What figures.svg.for_page leaves of a figure, exactly as it spells it, so that no parser can read it otherwise.
ELEMENT = re.compile(
    r"</(?:clipPath|defs|g|image|path|rect|text|title|use)>|<(?:clipPath|defs|g|image|path|rect|text|title|use)(?:\s+(?:"
    r'(?:d|data-line|height|id|transform|width|x|y)="[^"<>&]*"'
    r'|style="(?:[^"<>&()\\]|var\(--[a-z0-9-]+\))*"'
    r'|clip-path="url\(#[^"<>&()]*\)"'
    r'|href="(?:#|data:image/png;base64,)[^"<>&]*"))*\s*/?>'
)


def _picture(svg):
    """`svg`; ValueError where a figure of this program is not drawn with such elements and attributes."""
    whole = SVG.fullmatch(svg)
    if whole is None or "<" in (rest := ELEMENT.sub("", whole[1])):
        place = "" if whole is None else f": {rest[rest.index('<') :][:40]!r}"
        raise ValueError(f"this is no figure that was drawn here{place}")
    return svg


class DrawnSign(BaseModel):
    """An entry of a key; figures.chart.Sign says what the fields mean."""

    sign: str
    color: Annotated[str, Field(pattern=f"^({COLOR})$")]
    label: str
    line: Whole | None
    muted: bool


class DrawnPlot(BaseModel):
    """What is told of a figure to those who do not see it."""

    name: str
    title: str
    summary: str
    columns: list[PlainCell]
    rows: list[list[PlainCell]]
    key: list[DrawnSign]
    points: list[str] = []
    note: str = ""


class DrawnFigure(BaseModel):
    """The whole file.

    here       the hardware it was measured on; `processes` the fewest and the usual number of processes
    problems   what was measured
    missing    what could not be made; `complete` says whether anything was
    """

    schema_version: Literal[2] = SCHEMA_VERSION
    entry: Entry
    plot: DrawnPlot
    svg: Annotated[str, AfterValidator(_picture)]
    sentences: list[str]
    missing: list[str]
    complete: bool
    here: str
    processes: tuple[Whole, Whole]
    problems: str
    sources: list[Source]
    quoted: list[SlideText]
    links: list[Link]


def read(path):
    """The DrawnFigure of the figure that the folder of `path` is named after; InputError where it is missing, of
    another version, or nothing that this would have written."""
    drawn = formats.read(DrawnFigure, path, AGAIN)
    if not drawn.entry.id == drawn.plot.name == path.parent.name:
        raise InputError(path, f"is of the figure {drawn.entry.id}, not {path.parent.name}", AGAIN)
    return drawn
