"""Draws figures into files, and as SVG that follows the page's theme, with a text alternative each."""

import io
import re
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from html import escape
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

from accelbench.figures import canvas, style
from accelbench.store import files

PNG_DPI = 200
PLACES = re.compile(r'\b(?:d|x|y|width|height|transform|points)="[^"]*"')  # attributes that hold coordinates
NEEDLESS = re.compile(  # empty groups, ids that nothing refers to, turns by no angle, and the font, which the page sets
    r'<g id="[^"]*"/>\s*| id="[\w.]+_\d+"| transform="rotate\(-0 [^"]*\)"|font-family: [^;"]*; '
)
DECIMALS = re.compile(r"(\d\.\d\d)\d+")  # more than a hundredth of a point is not seen
PNG_COMPRESSION = 1  # of 9: somewhat larger than the usual 6 in a fifth of the time
DATELESS = {"svg": {"Date": None, "Creator": None}, "pdf": {"CreationDate": None}, "png": {}}


class Sign(NamedTuple):
    """An entry of a key: a sign in a CSS colour, and what it stands for: a line by its number, unless it is None."""

    sign: str
    color: str
    label: str
    line: int | None = None
    muted: bool = False


@dataclass
class Plot:
    """A figure to draw: `function` with `arguments`, and what is told to those who do not see it.

    name     of its files: vector_sum-time-float64
    title    one line above it
    summary  what it shows, in words
    columns, rows  its numbers, as shown in the table under it
    key      the Signs of its lines, for screens too narrow for the labels within the figure
    points   what each of the elements drawn as point<number> is, shown where the reader points at it
    note     what the page says under it
    folded   whether the page shows it on demand only
    """

    name: str
    function: Callable
    arguments: dict
    title: str
    summary: str
    columns: tuple = ()
    rows: list = field(default_factory=list)
    key: list = field(default_factory=list)
    points: list = field(default_factory=list)
    note: str = ""
    folded: bool = False


def numbers(lines, x_name, show, x_names=None):
    """(columns, rows, key) of a figure: a row of numbers per line, a column per x, and what each line looks like.

    Where lines are muted the key is grouped by backends.
    """
    every = sorted({x for line in lines for x in line.x})
    columns = [x_name, *(x_names[x] if x_names else style.size(x) for x in every)]
    rows = []
    for line in lines:
        values = dict(zip(line.x, line.y, strict=True))
        rows.append([line.label, *(show(values.get(x)) for x in every)])
    variables = style.theme_variables()
    key = [
        Sign(style.MARKERS[line.look.marker], f"var({variables[line.look.color]})", line.label, number, line.muted)
        for number, line in enumerate(lines)
    ]
    if any(line.muted for line in lines):
        order = list(variables.values())
        key.sort(key=lambda sign: order.index(sign.color.removeprefix("var(").removesuffix(")")))
    return columns, rows, key


def draw_all(plots, folder, processes=2):
    """Write every Plot as folder/<name>.svg, .pdf and .png; {name: inline SVG}."""
    folder = Path(folder)
    files.make_folder(folder)
    _remove_others(folder, {plot.name for plot in plots})
    if processes < 2 or len(plots) < 4:
        canvas.use_style()
        return {plot.name: draw(plot, folder) for plot in plots}
    with ProcessPoolExecutor(processes, mp_context=get_context("fork"), initializer=canvas.use_style) as pool:
        drawn = pool.map(draw, plots, [folder] * len(plots))
        return {plot.name: svg for plot, svg in zip(plots, drawn, strict=True)}


def _remove_others(folder, names):
    """Remove the figures of an earlier report that this one does not have."""
    for path in folder.iterdir():
        if path.suffix[1:] in DATELESS and path.stem not in names:
            path.unlink()


def draw(plot, folder):
    """Draw one Plot into its three files; its SVG for the page."""
    figure = plot.function(**plot.arguments)
    pictures = {}
    for kind, metadata in DATELESS.items():
        stream = io.BytesIO()
        background = "white" if kind == "png" else "none"
        options = {"pil_kwargs": {"compress_level": PNG_COMPRESSION}} if kind == "png" else {}
        figure.savefig(stream, format=kind, dpi=PNG_DPI, metadata=metadata, facecolor=background, **options)
        pictures[kind] = stream.getvalue()
    for kind, data in pictures.items():
        files.write(folder / f"{plot.name}.{kind}", data)
    return for_page(pictures["svg"].decode(), plot.name, plot.points)


def svg(figure, name, points=()):
    """A matplotlib Figure as SVG for the page alone; `points` as for_page takes them."""
    stream = io.BytesIO()
    figure.savefig(stream, format="svg", metadata=DATELESS["svg"])
    return for_page(stream.getvalue().decode(), name, points)


def for_page(svg, name, points=()):
    """An SVG file's text made fit to stand in a page: ids of its own, the theme's colours, the page's font, titles."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>\s*", "", svg, flags=re.DOTALL)
    svg = re.sub(r"<!--.*?-->\s*", "", svg, flags=re.DOTALL)
    svg = NEEDLESS.sub("", svg)
    svg = re.sub(r'\bid="line(\d+)-', r'data-line="\1" \g<0>', svg)
    svg = re.sub(r'<g id="point(\d+)">', lambda g: f"{g[0]}<title>{escape(points[int(g[1])])}</title>", svg)
    svg = PLACES.sub(lambda found: DECIMALS.sub(r"\1", found[0]), svg)
    svg = re.sub(r'\bid="', f'id="{name}-', svg)
    svg = re.sub(r'(href="#|url\(#)', rf"\g<1>{name}-", svg)
    svg = re.sub(r"<defs>\s*<style.*?</style>\s*</defs>\s*", "", svg, count=1, flags=re.DOTALL)
    svg = svg.replace("xlink:href", "href")
    for color, variable in style.theme_variables().items():
        svg = svg.replace(color, f"var({variable})")
    ((width, height),) = re.findall(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg)
    head = f'<svg viewBox="0 0 {width} {height}" style="--natural: {float(width):.0f}" aria-hidden="true">'
    return re.sub(r"\s*\n\s*", "\n", head + svg[svg.index(">") + 1 :])
