"""lectures.html: every figure with what was printed then, what was measured here, and what that says."""

from pathlib import Path

from markupsafe import Markup
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import TextLexer

from accelbench.lectures import pool
from accelbench.lectures.drawn import AGAIN
from accelbench.lectures.sources import compare_lines, profile_rows
from accelbench.pages import machine, sandbox, source
from accelbench.pages import page as pages
from accelbench.store import formats

LECTURES = {
    "icsc23": "Multiplatform Programming with Python, CERN inverted School of Computing, 2023 (P. Kicsiny)",
    "esrf": "High Performance Computing with Python, ESRF (J. Kieffer)",
    "cupy101": "GPU programming in Python: CuPy notebook",
    "firenze": "Python: GPU programming, Università di Firenze (M. Bertini)",
    "gtc2010": "PyCUDA: Even Simpler GPU Programming with Python, GTC 2010 (A. Klöckner)",
    "own": "Figures of your own",
}
IN_WORDS = ("code", "pool")  # kinds whose figure is text: the page writes it, with highlighting, instead of drawing it


def render(home, drawn, absent, report):
    """The HTML of the page; `report` says whether the machine's report lies beside it."""
    described = formats.read(formats.Machine, Path(home) / "machine.json", AGAIN)
    groups = {}
    for view in drawn:
        groups.setdefault(view["entry"]["lecture"], []).append(_prepared(view))
    return pages.render(
        "accelbench.lectures",
        "lectures.html.jinja",
        machine=described,
        groups=[(name, LECTURES.get(name, name), views) for name, views in groups.items()],
        made=sum(view["complete"] and not view["missing"] for view in drawn),
        partly=sum(view["complete"] and bool(view["missing"]) for view in drawn),
        total=len(drawn),
        absent=[entry.id for entry in absent],
        report=report,
        facts=machine.facts(described),
    )


def _prepared(view):
    entry = view["entry"]
    svg = None if entry["kind"] in IN_WORDS and view["complete"] else Markup(view["svg"])
    quoted = [{**file, "html": _highlighted(file)} for file in view["quoted"]]
    shown = [{**each, "files": [{**f, "html": _highlighted(f)} for f in each["files"]]} for each in view["sources"]]
    return {**view, "svg": svg, "quoted": quoted, "sources": shown}


def _highlighted(file):
    """A file's text as HTML, the lines that differ from its neighbour's within class hll."""
    lexer = source.LEXERS.get(file["name"].rsplit(".", 1)[-1], TextLexer)(stripnl=False)
    return Markup(highlight(file["text"], lexer, HtmlFormatter(nowrap=True, hl_lines=file["differs"])))


def hardware(entry, measured):
    """The hardware a figure was measured on, in a line: its cases' devices, or all GPUs where it needs several."""
    cpu = measured.machine["cpu"]
    devices = measured.gpus if entry.needs == "two gpus" else measured.devices
    parts = [f"{cpu['model']}, {cpu['available']} cores", *devices]
    return ", ".join(parts) + (", a virtual machine" if measured.machine["virtualised"] else "")


def sources(entry, measured):
    """The sources a figure shows: those that `code` names, where their kernel was measured or they were profiled, or
    the walk through memory pools; `differs` are the numbers of the lines that two side by side do not have in common.
    """
    found = []
    for shown in entry.code:
        if about := _about(shown, measured):
            named = {"kernel": shown.kernel, "implementation": shown.implementation}
            listed = [{**file, "differs": []} for file in about["files"]]
            found.append(named | {"title": about["title"], "backend": about["backend"], "files": listed})
    if entry.kind == "code" and len(found) == 2:
        _mark([each["files"][0] for each in found])
    if entry.kind == "pool":
        walk = {"name": pool.WALK.name, "text": pool.WALK.read_text(encoding="utf-8"), "differs": []}
        named = {"kernel": "lectures", "implementation": "cupy", "title": "the walk through the pools"}
        found.append(named | {"backend": "cupy", "files": [walk]})
    return found


def quoted(entry):
    """The lines of the slide that a figure shows, like the files of a source; of two, those that differ are marked."""
    found = [
        {"name": f"slide.{q.language}", "of": q.name, "text": q.text.strip("\n"), "differs": []}
        for q in entry.slide_code
    ]
    if len(found) == 2:
        _mark(found)
    return found


def _about(shown, measured):
    """What the kernel's card says of an implementation, or its profile; None where there is neither."""
    if shown.kernel in measured.cards:
        return measured.cards[shown.kernel]["implementations"].get(shown.implementation)
    found = profile_rows(measured.home / "profile", [f"{shown.kernel}/{shown.implementation}"])
    return next((profile for profile in found if profile.get("files")), None)


def _mark(pair):
    """Note in two files which of their lines the other does not have."""
    marked, _ = compare_lines(*(file["text"] for file in pair))
    for file, lines in zip(pair, marked, strict=True):
        file["differs"] = [number for number, (text, differs) in enumerate(lines, 1) if differs and text.strip()]


def annotations(measured, report_dir, entry):
    """Copy Cython's annotated pages beside the page; [{implementation, href}] of those the figure shows."""
    links = sandbox.copy_annotations(measured.cards, measured.home, report_dir)
    return [{"implementation": name, "href": href} for (_, name, _), href in links.items() if entry.draws(name)]
