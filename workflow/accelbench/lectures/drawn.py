"""view.json: what the page says of a figure that was drawn. It may be a stranger's, and its SVG stands in the page."""

import re
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, Field

from accelbench.errors import InputError
from accelbench.lectures.entries import Entry
from accelbench.model.record import Finite, Name
from accelbench.store import formats
from accelbench.store.formats import FILE_NAME, Path, Whole

AGAIN = "Delete it and run again: make lecture"
COLOR = r"#[0-9a-f]{6}|var\(--[a-z0-9-]+\)"
SVG = re.compile(r'<svg viewBox="0 0 [\d.]+ [\d.]+" style="--natural: \d+" aria-hidden="true">(.*)</svg>\s*', re.DOTALL)
Cell = str | Finite | None
# What report.drawing.for_page leaves of a figure, exactly as it spells it, so that no parser can read it otherwise.
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


class Sign(BaseModel):
    """An entry of a key; report.drawing says what the fields mean."""

    sign: str
    color: Annotated[str, Field(pattern=f"^({COLOR})$")]
    label: str
    line: Whole | None
    faint: bool


class Plot(BaseModel):
    """What is told of a figure to those who do not see it."""

    name: str
    title: str
    summary: str
    columns: list[Cell]
    rows: list[list[Cell]]
    key: list[Sign]
    points: list[str]
    note: str


class Text(BaseModel):
    """Lines of a source; `differs` are the numbers of those that its neighbour does not have."""

    name: Annotated[str, Field(pattern=FILE_NAME)]
    text: str
    differs: list[Whole]


class Quoted(Text):
    """Lines of a slide."""

    of: str | None


class Source(BaseModel):
    """An implementation that is shown."""

    kernel: Name
    implementation: Name
    backend: Name
    files: list[Text]


class Link(BaseModel):
    """A page beside this one."""

    implementation: Name
    href: Path


class Drawn(BaseModel):
    """The whole file."""

    schema_version: Literal[1]
    entry: Entry
    plot: Plot
    svg: Annotated[str, AfterValidator(_picture)]
    sentences: list[str]
    missing: list[str]
    complete: bool
    here: str
    processes: tuple[Whole, Whole]
    problems: str
    sources: list[Source]
    quoted: list[Quoted]
    links: list[Link]


def read(path):
    """What writing.write_figure left of the figure that the folder of `path` is named after; InputError where it is
    missing, of another version, or nothing that this would have written."""
    view = formats.read(Drawn, path, AGAIN)
    if not view["entry"]["id"] == view["plot"]["name"] == path.parent.name:
        raise InputError(path, f"is of the figure {view['entry']['id']}, not {path.parent.name}", AGAIN)
    return view
