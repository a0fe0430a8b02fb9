"""A figure's files and what the page says of it; the page of all figures."""

from pathlib import Path

from markupsafe import Markup

from accelbench.figures import canvas
from accelbench.figures.listing import Listing
from accelbench.lectures import measured, page, sources, views
from accelbench.lectures.measured import AGAIN, FOLDER
from accelbench.pages import copies, pictures
from accelbench.store import files, formats
from accelbench.store.load import check_folder


def write_figure(entry, home, report_dir, *, formats=None):
    """Draw the figure `entry` as report_dir/figures/<id>.svg, .pdf and .png from what was measured for it, and beside
    them, as <id>.txt, what the numbers say, of the figure's claims, too.

    formats  those of the figure, "svg" among them, where not all are made
    home  results/<machine>/; what the page says of the figure is left there, in lectures/<id>/view.json

    A figure that could not be made is drawn as words that say why. InputError names a result file that is damaged.
    """
    home, report_dir = Path(home), Path(report_dir)
    results = measured.read(home, entry)
    view = views.make(entry, results)
    canvas.use_style()
    plot = pictures.Plot(entry.id, view.chart, entry.title, view.summary, numbers=view.table)
    svg = pictures.draw(plot, report_dir / "figures", formats)
    words = [entry.title, *view.sentences, *view.missing]
    files.write(report_dir / "figures" / f"{entry.id}.txt", "".join(f"{sentence}\n" for sentence in words))
    figure = page.drawn(
        entry,
        view,
        plot=plot,
        svg="" if isinstance(view.chart, Listing) else Markup(svg),  # the page has such lines as text, highlighted
        here=hardware(entry, results, view.device),
        processes=results.processes,
        quoted=sources.quoted(entry),
        links={name: copies.copy(path, home, report_dir) for name, path in view.links.items()},
    )
    files.write_json(drawn_file(home, entry), figure.model_dump(mode="json"))


def drawn_file(home, entry):
    """Where the page's words of a figure lie, in results/<machine>/."""
    return Path(home) / FOLDER / entry.id / "view.json"


def hardware(entry, results, device=None):
    """The hardware a figure was measured on, in a line: its cases' devices and `device`, or all GPUs where it needs
    several."""
    devices = results.gpus if entry.needs == "two gpus" else sorted({*results.devices, *filter(None, [device])})
    parts = [results.machine.hardware, *devices]
    return ", ".join(parts) + (", a virtual machine" if results.machine.virtualised else "")


def write_page(home, report_dir, entries, *, absent=(), report=None):
    """Write report_dir/lectures.html, lectures/<lecture>.html, of which it is the list, and slides.md, a deck, from the
    figures that write_figure has drawn; the path of lectures.html. `absent` are the Entries of declared figures that
    nothing was measured for; `report` says whether the machine's report lies beside it, or will: as found where it is
    None."""
    home, report_dir = Path(home), Path(report_dir)
    check_folder(home)
    figures = [formats.read(page.DrawnFigure, drawn_file(home, entry), AGAIN) for entry in entries]
    report = (report_dir / "index.html").exists() if report is None else report
    pages = page.render(home, figures, absent=absent, report=report)
    for path in (report_dir / page.PAGES).glob("*.html"):
        if f"{page.PAGES}/{path.name}" not in pages:
            path.unlink()
    for name, text in pages.items():  # lectures.html is the last
        files.write(report_dir / name, text)
    return report_dir / "lectures.html"
