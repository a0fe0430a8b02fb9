"""Figures on pages: their titles and summaries, their files, and their SVG within the page."""

import io
import signal
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import repeat
from multiprocessing import get_context
from pathlib import Path

from accelbench.figures import canvas, svg
from accelbench.figures.chart import Chart, Table
from accelbench.store import files

# {format: options of savefig}. Compression level 1 takes a fifth of the time of the default level 6, but makes larger
# files.
OPTIONS = {"png": {"facecolor": "white", "pil_kwargs": {"compress_level": 1}}}
DPI = 200  # Resolution of PNG files and of images within SVG and PDF, in dots per inch
FORMATS = {"svg": svg.METADATA, "pdf": {"CreationDate": None}, "png": {}}  # {format: metadata without a date}


@dataclass(frozen=True)
class Plot:
    """Figure on a page: a Chart with the texts around it.

    name     name of the figure's files without extension, such as vector_sum-time-float64
    title    line above the figure
    summary  description of the figure's content
    note     text below the figure
    numbers  table below the figure; the chart's table if None
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
    """Write every Plot to folder/<name>.<format>, and remove other figures from `folder`. Return {name: inline SVG}.

    processes  number of processes that draw
    formats    formats to write; all FORMATS if None
    where      name of the machine, for the heading in each file
    """
    files.make_folder(folder := Path(folder))
    _remove_others(folder, {plot.name for plot in plots})
    canvas.use_style()  # forked processes inherit this style
    if processes < 2 or len(plots) < 4:
        return {plot.name: draw(plot, folder, formats, where=where) for plot in plots}
    with ProcessPoolExecutor(
        processes,
        mp_context=get_context("fork"),
        initializer=signal.signal,
        initargs=(signal.SIGINT, signal.SIG_IGN),  # only the parent process handles interrupts
    ) as pool:
        drawn = pool.map(partial(draw, where=where), plots, repeat(folder), repeat(formats))
        return dict(zip((plot.name for plot in plots), drawn, strict=True))


def _remove_others(folder, names):
    """Remove the figures of an earlier report: all figures in the folder whose names are not in `names`."""
    for path in folder.iterdir():
        if path.suffix[1:] in FORMATS and path.stem not in names:
            path.unlink()


def draw(plot, folder, formats=None, *, where=""):
    """Write the files of a Plot. Return the Plot's inline SVG.

    The heading in the files consists of the title and `where`. The inline SVG has no heading.
    """
    figure = canvas.drawn(plot.chart, plot.title, where)
    pictures, box = {}, None  # without a bounding box, Matplotlib would draw each file twice to compute it
    for kind in formats or FORMATS:
        stream = io.BytesIO()
        figure.savefig(stream, format=kind, dpi=DPI, metadata=FORMATS[kind], bbox_inches=box, **OPTIONS.get(kind, {}))
        box = box or figure.get_tightbbox().padded(canvas.MARGIN)
        pictures[kind] = svg.rounded(stream.getvalue().decode()) if kind == "svg" else stream.getvalue()
        files.write(folder / f"{plot.name}.{kind}", pictures[kind])
    return svg.for_page(pictures["svg"], plot.name, plot.points)
