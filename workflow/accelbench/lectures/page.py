"""lectures.html: every figure with what was printed then, what was measured here, and what that says."""

from markupsafe import Markup
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import TextLexer

from accelbench.lectures import kinds
from accelbench.lectures.kind import TODAY
from accelbench.pages import machine, slides, source
from accelbench.pages import page as pages
from accelbench.store.load import read_machine

LECTURES = {
    "icsc23": "Multiplatform Programming with Python, CERN inverted School of Computing, 2023 (P. Kicsiny)",
    "esrf": "High Performance Computing with Python, ESRF (J. Kieffer)",
    "cupy101": "GPU programming in Python: CuPy notebook",
    "firenze": "Python: GPU programming, Università di Firenze (M. Bertini)",
    "gtc2010": "PyCUDA: Even Simpler GPU Programming with Python, GTC 2010 (A. Klöckner)",
    TODAY: "Today's ways",
    "own": "Figures of your own",
}


def render(home, drawn, *, absent, report, beside):
    """The HTML of the page from DrawnFigures; `report` says whether the machine's report lies beside it, that is in the
    folder `beside`, as are its slides."""
    described = read_machine(home)
    lying = slides.find(beside)
    groups = {}
    for figure in drawn:
        groups.setdefault(figure.entry.lecture, []).append(figure)
    return pages.render(
        "accelbench.lectures",
        "lectures.html.jinja",
        filters={"highlighted": _highlighted, "picture": _picture},
        machine=described,
        groups=[(name, LECTURES.get(name, name), figures) for name, figures in groups.items()],
        find_kind=kinds.find,
        made=sum(figure.complete and not figure.missing for figure in drawn),
        partly=sum(figure.complete and bool(figure.missing) for figure in drawn),
        total=len(drawn),
        absent=[entry.id for entry in absent],
        report=report,
        decks=[name for name in (slides.ALL, slides.DECK) if (beside / slides.FOLDER / name).is_file()],
        slides={figure.entry.id: slides.of_figure(figure.entry.id, lying) for figure in drawn},
        facts=machine.facts(described),
    )


def _picture(figure):
    """The SVG of a figure; None where the page writes it as text."""
    as_text = kinds.find(figure.entry.kind).as_text and figure.complete
    return None if as_text else Markup(figure.svg)


def _highlighted(text):
    """A SourceText as HTML, the lines that differ from its neighbour's within class hll."""
    lexer = source.LEXERS.get(text.name.rsplit(".", 1)[-1], TextLexer)(stripnl=False)
    return Markup(highlight(text.text, lexer, HtmlFormatter(nowrap=True, hl_lines=text.differs)))
