"""Figures on pages: their words, their files, and as SVG within the page."""

import io
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import repeat
from multiprocessing import get_context
from pathlib import Path

from accelbench.figures import canvas, svg
from accelbench.figures.chart import Chart, Table
from accelbench.store import files

# Compression 1 of 9 makes files somewhat larger than the default, 6, in a fifth of the time.
OPTIONS = {"png": {"facecolor": "white", "pil_kwargs": {"compress_level": 1}}}
DPI = 200  # of PNG, and of images within SVG and PDF
FORMATS = {"svg": svg.METADATA, "pdf": {"CreationDate": None}, "png": {}}  # with metadata that hold no date


@dataclass(frozen=True)
class Plot:
    """A figure on a page.

    name     of its files: vector_sum-time-float64
    title    one line above it
    summary  what it shows, in words
    note     what the page says under it
    numbers  those that stand under it, the chart's own where None
    """

    name: str
    chart: Chart
    title: str
    summary: str
    note: str = ""
    numbers: Table | None = None

    @cached_property
    def table(self):
        return self.numbers or self.chart.table()

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


def draw_all(plots, folder, processes=2, *, formats=None, where=""):
    """Write every Plot as folder/<name>.svg, .pdf and .png, or in the FORMATS named; {name: inline SVG}. `where` they
    were measured stands in each file."""
    folder = Path(folder)
    files.make_folder(folder)
    _remove_others(folder, {plot.name for plot in plots})
    if processes < 2 or len(plots) < 4:
        canvas.use_style()
        return {plot.name: draw(plot, folder, formats, where=where) for plot in plots}
    with ProcessPoolExecutor(processes, mp_context=get_context("fork"), initializer=canvas.use_style) as pool:
        drawn = pool.map(partial(draw, where=where), plots, repeat(folder), repeat(formats))
        return {plot.name: svg for plot, svg in zip(plots, drawn, strict=True)}


def _remove_others(folder, names):
    """Remove the figures of an earlier report that this one does not have."""
    for path in folder.iterdir():
        if path.suffix[1:] in FORMATS and path.stem not in names:
            path.unlink()


def draw(plot, folder, formats=None, *, where=""):
    """Draw one Plot into its files, of the FORMATS named or of all, under its title and `where` it was measured; its
    SVG for the page, without these."""
    figure = canvas.drawn(plot.chart, plot.title, where)
    pictures, box = {}, None  # matplotlib lays each file out twice to find its box, unless it is given
    for kind in formats or FORMATS:
        stream = io.BytesIO()
        figure.savefig(stream, format=kind, dpi=DPI, metadata=FORMATS[kind], bbox_inches=box, **OPTIONS.get(kind, {}))
        box = box or figure.get_tightbbox().padded(canvas.MARGIN)
        pictures[kind] = stream.getvalue()
        files.write(folder / f"{plot.name}.{kind}", pictures[kind])
    return svg.for_page(pictures["svg"].decode(), plot.name, plot.points)
