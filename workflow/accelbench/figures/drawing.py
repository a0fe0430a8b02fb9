"""Draws figures into files, and as SVG that follows the page's theme, with a text alternative each."""

import io
import re
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from html import escape
from multiprocessing import get_context
from pathlib import Path

from accelbench.figures import canvas, style
from accelbench.figures.chart import Chart
from accelbench.store import files

PNG_DPI = 200
PLACES = re.compile(r'\b(?:d|x|y|width|height|transform|points)="[^"]*"')  # attributes that hold coordinates
NEEDLESS = re.compile(  # empty groups, ids that nothing refers to, turns by no angle, and the font, which the page sets
    r'<g id="[^"]*"/>\s*| id="[\w.]+_\d+"| transform="rotate\(-0 [^"]*\)"|font-family: [^;"]*; '
)
DECIMALS = re.compile(r"(\d\.\d\d)\d+")  # more than a hundredth of a point is not seen
PNG_COMPRESSION = 1  # of 9: somewhat larger than the usual 6 in a fifth of the time
DATELESS = {"svg": {"Date": None, "Creator": None}, "pdf": {"CreationDate": None}, "png": {}}


@dataclass(frozen=True)
class Plot:
    """A figure on a page.

    name     of its files: vector_sum-time-float64
    title    one line above it
    summary  what it shows, in words
    note     what the page says under it
    folded   whether the page shows it on demand only
    """

    name: str
    chart: Chart
    title: str
    summary: str
    note: str = ""
    folded: bool = False

    @cached_property
    def table(self):
        return self.chart.table()

    @property
    def columns(self):
        return self.table.columns

    @property
    def rows(self):
        return self.table.rows

    @cached_property
    def key(self):
        return self.chart.key()

    @cached_property
    def points(self):
        return self.chart.points()


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
    figure = plot.chart.draw()
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
