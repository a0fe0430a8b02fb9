"""A page a lecture: every figure with what was printed then, what was measured here, and what that says;
lectures.html, which leads to all of them; and slides.md, a deck of all figures."""

import re
from dataclasses import dataclass
from pathlib import Path

from markupsafe import Markup
from pydantic import BaseModel
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import TextLexer

from accelbench.figures import style
from accelbench.lectures.entries import Entry
from accelbench.lectures.view import TODAY
from accelbench.pages import machine, source
from accelbench.pages import page as pages
from accelbench.store.load import read_machine

STATIC = Path(__file__).parent / "static"
MOST_OF_NAME = 60  # of a lecture's that stands in the name of its page
PAGES = "lectures"  # the folder of the pages, beside lectures.html
PADDING = re.compile(r"( +)(?= \\(?:</span>)*$)", re.MULTILINE)
LECTURES = {
    "icsc23": "Multiplatform Programming with Python, CERN inverted School of Computing, 2023 (P. Kicsiny)",
    "esrf": "High Performance Computing with Python, ESRF (J. Kieffer)",
    "cupy101": "GPU programming in Python: CuPy notebook",
    "firenze": "Python: GPU programming, Università di Firenze (M. Bertini)",
    "gtc2010": "PyCUDA: Even Simpler GPU Programming with Python, GTC 2010 (A. Klöckner)",
    TODAY: "Today's ways",
    "own": "Figures of your own",
}


class DrawnFigure(BaseModel):
    """view.json: a figure's part of its lecture's page and of the deck, and what lectures.html says of it."""

    entry: Entry
    complete: bool
    missing: bool
    line: str
    html: str
    deck: str


@dataclass(frozen=True)
class Lecture:
    """A lecture's DrawnFigures; `slug` names its page and the place where lectures.html lists them."""

    slug: str
    figures: list

    @property
    def name(self):
        return self.figures[0].entry.lecture

    @property
    def title(self):
        names = dict.fromkeys(figure.entry.lecture for figure in self.figures)
        return "; ".join(LECTURES.get(name, name) for name in names)

    @property
    def link(self):
        return f"{PAGES}/{self.slug}.html"


def render(home, figures, *, absent, report) -> dict[str, str]:
    """Return {path: text} of a page for each lecture, of slides.md, and of lectures.html, which lists the pages, as the
    last, from DrawnFigures; `report` says whether the machine's report lies beside them."""
    described = read_machine(home)
    lectures = by_lecture(figures)
    given = {"machine": described, "hardware": _hardware(described), "lectures": lectures, "report": report}
    found = {"slides.md": _page("slides.md.jinja", **given, figures=figures)}
    for lecture in lectures:
        own = {"here": lecture.slug, "up": "../", "shown": lecture}
        found[lecture.link] = _page("lecture.html.jinja", **given, **own)
    return found | {
        "lectures.html": _page(
            "lectures.html.jinja",
            **given,
            here=None,
            up="",
            made=sum(figure.complete and not figure.missing for figure in figures),
            partly=sum(figure.complete and figure.missing for figure in figures),
            total=len(figures),
            absent=[entry.id for entry in absent],
            facts=machine.facts(described),
            more_script=pages.static(STATIC, "lead.js"),
        )
    }


def by_lecture(figures):
    """The Lectures of DrawnFigures, as they come; names that are spelled alike in a file's name share a page."""
    groups = {}
    for figure in figures:
        groups.setdefault(style.slug(figure.entry.lecture)[:MOST_OF_NAME] or "other", []).append(figure)
    return [Lecture(slug, figures) for slug, figures in groups.items()]


def drawn(entry, view, **content) -> DrawnFigure:
    """Return the DrawnFigure of a View; `content` is what else its templates name."""
    html, deck = (_page(f"figure.{kind}.jinja", entry=entry, view=view, **content) for kind in ("html", "md"))
    line = next(iter([*view.sentences, *view.missing]), view.summary)
    told = {"complete": view.complete, "missing": bool(view.missing), "line": line}
    return DrawnFigure(entry=entry, **told, html=html, deck=deck)


def _page(template, **content):
    filters = {"highlighted": _highlighted, "plain": _plain, "excerpt": source.excerpt}
    own_css = Markup(pages.static(STATIC, "lectures.css"))
    return pages.render("accelbench.lectures", template, filters, own_css=own_css, **content)


def _hardware(described):
    """The machine's processor, cores and GPUs, in a line."""
    cores = described.cpu.available
    return ", ".join([described.cpu.model, f"{cores} core{'s' * (cores != 1)}", *(gpu.name for gpu in described.gpus)])


def _plain(text):
    """Escape the characters that Markdown may read as markup."""
    return re.sub(r"[\\`*_\[\]<>&$~^|#]", r"\\\g<0>", text)


def _highlighted(text):
    """A SourceText as HTML, the lines that differ from its neighbour's within class hll, and within class pad what only
    puts the backslashes of a C macro below each other, which is left out where lines are broken."""
    lexer = source.LEXERS.get(text.name.rsplit(".", 1)[-1], TextLexer)(stripnl=False)
    lines = highlight(text.text, lexer, HtmlFormatter(nowrap=True, hl_lines=text.differs))
    return Markup(PADDING.sub(r'<span class="pad">\1</span>', lines))
