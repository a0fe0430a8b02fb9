"""Draws figures into files, and as SVG that follows the page's theme, with a text alternative each."""

import io
import re
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path

from accelbench import files
from accelbench.report import figures, style

PNG_DPI = 200
DATELESS = {"svg": {"Date": None, "Creator": None}, "pdf": {"CreationDate": None}, "png": {}}


@dataclass
class Plot:
    """A figure to draw: `function` of figures.py with `arguments`, and what is told to those who do not see it.

    name     of its files: vector_sum-time-float64
    title    one line above it
    summary  what it shows, in words
    columns, rows  its numbers, as shown in the table under it
    key      (sign, CSS colour, label) of each line, for screens too narrow for the labels within the figure
    """

    name: str
    function: str
    arguments: dict
    title: str
    summary: str
    columns: tuple = ()
    rows: list = field(default_factory=list)
    key: list = field(default_factory=list)


def draw_all(plots, folder, processes=2):
    """Write every Plot as folder/<name>.svg, .pdf and .png; {name: inline SVG}."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    _remove_others(folder, {plot.name for plot in plots})
    if processes < 2 or len(plots) < 4:
        figures.use_style()
        return {plot.name: draw(plot, folder) for plot in plots}
    with ProcessPoolExecutor(processes, mp_context=get_context("fork"), initializer=figures.use_style) as pool:
        drawn = pool.map(draw, plots, [folder] * len(plots))
        return {plot.name: svg for plot, svg in zip(plots, drawn, strict=True)}


def _remove_others(folder, names):
    """Remove the figures of an earlier report that this one does not have."""
    for path in folder.iterdir():
        if path.suffix[1:] in DATELESS and path.stem not in names:
            path.unlink()


def draw(plot, folder):
    """Draw one Plot into its three files; its SVG for the page."""
    figure = getattr(figures, plot.function)(**plot.arguments)
    pictures = {}
    for kind, metadata in DATELESS.items():
        stream = io.BytesIO()
        background = "white" if kind == "png" else "none"
        figure.savefig(stream, format=kind, dpi=PNG_DPI, metadata=metadata, facecolor=background)
        pictures[kind] = stream.getvalue()
    for kind, data in pictures.items():
        files.write(folder / f"{plot.name}.{kind}", data)
    return for_page(pictures["svg"].decode(), plot.name)


def for_page(svg, name):
    """An SVG file's text made fit to stand in a page: ids of its own, the theme's colours, the page's font."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>\s*", "", svg, flags=re.DOTALL)
    svg = re.sub(r"<!--.*?-->\s*", "", svg, flags=re.DOTALL)
    svg = re.sub(r'\bid="line(\d+)-', r'data-line="\1" \g<0>', svg)
    svg = re.sub(r'\bid="', f'id="{name}-', svg)
    svg = re.sub(r'(href="#|url\(#)', rf"\g<1>{name}-", svg)
    svg = re.sub(r"<defs>\s*<style.*?</style>\s*</defs>\s*", "", svg, count=1, flags=re.DOTALL)
    svg = svg.replace("'DejaVu Sans', sans-serif", "var(--sans)").replace("xlink:href", "href")
    for color, variable in style.theme_variables().items():
        svg = svg.replace(color, f"var({variable})")
    width, height = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg).groups()
    head = f'<svg viewBox="0 0 {width} {height}" style="--natural: {float(width):.0f}" aria-hidden="true">'
    return re.sub(r"\s*\n\s*", "\n", head + svg[svg.index(">") + 1 :])
