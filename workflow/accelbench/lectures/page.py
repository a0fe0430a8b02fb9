"""Files of lecture figures: pictures, a page for each lecture, the list lectures.html, and the deck slides.md.

The page of a lecture shows each figure with the lecture's numbers, the measured numbers, and sentences that compare
both.
"""

import re
from pathlib import Path

from markupsafe import Markup
from pydantic import BaseModel
from pygments import highlight
from pygments.formatters import HtmlFormatter

from accelbench.analysis.choices import group_by
from accelbench.figures import canvas, listing, style
from accelbench.lectures import measured, views
from accelbench.lectures.entries import Entry
from accelbench.pages import copies, machine, pictures, source
from accelbench.pages import page as pages
from accelbench.store import files, formats, load

STATIC = Path(__file__).parent / "static"
PAGES = "lectures"  # Name of the folder with the lectures' pages, in the same folder as lectures.html
PADDING = re.compile(r"( +)(?= \\(?:</span>)*$)", re.MULTILINE)
LECTURES = {
    "icsc23": "Multiplatform Programming with Python, CERN inverted School of Computing, 2023 (P. Kicsiny)",
    "esrf": "High Performance Computing with Python, ESRF (J. Kieffer)",
    "cupy101": "GPU programming in Python: CuPy notebook",
    "firenze": "Python: GPU programming, Università di Firenze (M. Bertini)",
    "gtc2010": "PyCUDA: Even Simpler GPU Programming with Python, GTC 2010 (A. Klöckner)",
    views.TODAY: "Today's libraries",
    "own": "Figures of your own",
}


class DrawnFigure(BaseModel):
    """Content of view.json: the texts of one figure for the lecture's page, for slides.md and for lectures.html."""

    entry: Entry
    complete: bool
    missing: bool
    line: str
    html: str
    deck: str


def write_figure(entry, home, report_dir, *, formats=None):
    """Draw an Entry's figure as report_dir/figures/<id>.svg, .pdf and .png. Write its title and sentences to <id>.txt.

    formats  formats to draw, which must include "svg"; None: all formats
    home     results/<machine>/; the texts for the pages are written to lectures/<id>/view.json in this folder

    If the figure cannot be made, the picture shows the reason as text. Raise InputError if a result file is damaged.
    """
    home, report_dir = Path(home), Path(report_dir)
    results = measured.read(home, entry)
    view = views.make(entry, results)
    canvas.use_style()
    sentences, here = [*view.sentences, *view.missing], hardware(entry, results, view.device)
    finding = next(iter(view.sentences), entry.title)
    plot = pictures.Plot(entry.id, view.chart, finding, view.summary, numbers=view.table)
    where = ("" if finding == entry.title else f"{entry.headline} ") + f"{results.machine.name}, {here}"
    svg = pictures.draw(plot, report_dir / "figures", formats, where=where)
    files.write(report_dir / "figures" / f"{entry.id}.txt", "".join(f"{text}\n" for text in (entry.title, *sentences)))
    content = {
        "entry": entry,
        "view": view,
        "plot": plot,
        "svg": ""
        if isinstance(view.chart, listing.Listing)
        else Markup(svg),  # the page shows a Listing as highlighted text, not as SVG
        "here": here,
        "claims_first": sorted(sentences, key=lambda text: (not text.startswith("“"), text not in view.missing)),
        "processes": results.processes,
        "links": {name: copies.copy(path, home, report_dir) for name, path in view.links.items()},
    }
    html, deck = (_page(f"figure.{kind}.jinja", **content) for kind in ("html", "md"))
    figure = DrawnFigure(
        entry=entry,
        complete=view.complete,
        missing=bool(view.missing),
        line=next(iter(sentences), view.summary),
        html=html,
        deck=deck,
    )
    files.write_json(drawn_file(home, entry), figure.model_dump(mode="json"))


def drawn_file(home, entry):
    """Return the path of a figure's view.json in results/<machine>/."""
    return measured.place(home, entry).with_name("view.json")


def hardware(entry, results, device=None):
    """Return a figure's hardware as text: the machine, the accelerators of the figure's cases, and `device`.

    If the figure needs two GPUs, the text names all GPUs of the machine, and no other devices.
    """
    devices = {case.record.device for case in results.cases if case.ok and case.on_accelerator} | {device}
    named = results.gpus if entry.needs == "two gpus" else sorted(devices - {None})
    return ", ".join([results.machine.hardware, *named]) + (
        ", a virtual machine" if results.machine.virtualised else ""
    )


def write_page(home, report_dir, entries, *, absent=(), report=None):
    """Write lectures/<lecture>.html, lectures.html and slides.md in report_dir. Return the path of lectures.html.

    entries  Entries of figures that write_figure has drawn
    absent   Entries of declared figures that write_figure has not drawn
    report   whether to link to index.html, the machine's report; None: link if index.html exists
    """
    home, report_dir = Path(home), Path(report_dir)
    load.check_folder(home)
    write_deck(home, report_dir / "slides.md", entries)
    figures = [formats.read(DrawnFigure, drawn_file(home, entry), measured.AGAIN) for entry in entries]
    described, lectures, index = load.read_machine(home), by_lecture(figures), report_dir / "lectures.html"
    given = {
        "machine": described,
        "hardware": ", ".join([described.hardware, *(gpu.name for gpu in described.gpus)]),
        "lectures": lectures.values(),
        "report": (report_dir / "index.html").exists() if report is None else report,
    }
    for path in set((report_dir / PAGES).glob("*.html")) - {report_dir / PAGES / f"{name}.html" for name in lectures}:
        path.unlink()
    for name, lecture in lectures.items():
        variables = {"here": name, "up": "../", "shown": lecture}
        files.write(report_dir / PAGES / f"{name}.html", _page("lecture.html.jinja", **given, **variables))
    variables = {
        "here": None,
        "up": "",
        "made": sum(figure.complete and not figure.missing for figure in figures),
        "partly": sum(figure.complete and figure.missing for figure in figures),
        "total": len(figures),
        "absent": [entry.id for entry in absent],
        "facts": machine.facts(described),
        "more_script": pages.static(STATIC, "lead.js"),
    }
    files.write(index, _page("lectures.html.jinja", **given, **variables))
    return index


def write_deck(home, path, entries):
    """Write slides with the drawn figures of `entries` to the Markdown file `path`. Return `path`.

    The file must be in the folder that contains figures/.
    """
    files.write(
        path,
        _page(
            "slides.md.jinja",
            machine=load.read_machine(home),
            decks=[formats.read(DrawnFigure, drawn_file(home, entry), measured.AGAIN).deck for entry in entries],
        ),
    )
    return path


def by_lecture(figures):
    """Group DrawnFigures by lecture. Return {name of the lecture's page: template variables of the page}.

    The pages are in the order of `figures`. Lectures whose names give the same file name share a page.
    """

    def slug(figure):
        return style.slug(figure.entry.lecture)[:60] or "other"  # at most 60 characters in the name of a page

    return {
        name: {
            "slug": name,
            "name": lecture_figures[0].entry.lecture,
            "title": "; ".join(dict.fromkeys(LECTURES.get(f.entry.lecture, f.entry.lecture) for f in lecture_figures)),
            "link": f"{PAGES}/{name}.html",
            "figures": lecture_figures,
        }
        for name, lecture_figures in group_by(figures, slug).items()
    }


def _page(template, **content):
    filters = {"highlighted": _highlighted, "plain": _plain, "excerpt": source.excerpt}
    return pages.render(
        "accelbench.lectures", template, filters, own_css=Markup(pages.static(STATIC, "lectures.css")), **content
    )


def _plain(text):
    """Return the text with a backslash before each character that Markdown may read as markup."""
    return re.sub(r"[\\`*_\[\]<>&$~^|#]", r"\\\g<0>", text)


def _highlighted(text, name, beside=None):
    """Return the text of a file as highlighted HTML. Lines that are not in the text `beside` get the class hll.

    Spaces that align the backslashes of a C macro get the class pad, which hides them in print and on small screens.
    """
    (lines, _), _ = views.compare_lines(text, text if beside is None else beside)
    differing = [number for number, (line, differs) in enumerate(lines, 1) if differs and line.strip()]
    html = highlight(text, source.lexer(name), HtmlFormatter(nowrap=True, hl_lines=differing))
    return Markup(PADDING.sub(r'<span class="pad">\1</span>', html))
