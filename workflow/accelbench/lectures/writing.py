"""A figure's files and what the page says of it; the page of all figures."""

from pathlib import Path

from accelbench.figures import canvas, drawing
from accelbench.lectures import drawn, measured, page, views
from accelbench.store import files
from accelbench.store.load import check_folder

DRAWN = "view.json"


def write_figure(entry, home, report_dir):
    """Draw the figure `entry` as report_dir/figures/<id>.svg, .pdf and .png from what was measured for it, and beside
    them, as <id>.txt, what the numbers say, of the figure's claims, too.

    home  results/<machine>/; what the page says of the figure is left there, in lectures/<id>/view.json

    A figure that could not be made is drawn as words that say why. InputError names a result file that is damaged.
    """
    home, report_dir = Path(home), Path(report_dir)
    found = measured.read(home, entry.id)
    view = views.make(entry, found)
    canvas.use_style()
    svg = drawing.draw(view.plot, report_dir / "figures")
    words = [entry.title, *view.sentences, *view.missing]
    files.write(report_dir / "figures" / f"{entry.id}.txt", "".join(f"{sentence}\n" for sentence in words))
    plot = {name: value for name, value in vars(view.plot).items() if name not in ("function", "arguments")}
    plot["key"] = [sign._asdict() for sign in view.plot.key]
    files.write_json(
        home / "lectures" / entry.id / DRAWN,
        {
            "schema_version": 1,
            "entry": entry.model_dump(mode="json"),
            "plot": plot,
            "svg": svg,
            "sentences": view.sentences,
            "missing": view.missing,
            "complete": view.complete,
            "here": page.hardware(entry, found),
            "processes": found.processes,
            "problems": view.problems,
            "sources": page.sources(entry, found),
            "quoted": page.quoted(entry),
            "links": page.annotations(found, report_dir, entry) if entry.kind == "annotations" else [],
        },
    )


def write_page(home, report_dir, entries, absent=(), report=None):
    """Write report_dir/lectures.html from the figures that write_figure has drawn; the page's path. `absent` are the
    Entries of declared figures that nothing was measured for; `report` says whether the machine's report lies beside
    it, or will: as found where it is None."""
    home, report_dir = Path(home), Path(report_dir)
    index = report_dir / "lectures.html"
    check_folder(home)
    views_drawn = [drawn.read(home / "lectures" / entry.id / DRAWN) for entry in entries]
    report = (report_dir / "index.html").exists() if report is None else report
    files.write(index, page.render(home, views_drawn, absent, report))
    return index
