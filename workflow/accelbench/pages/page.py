"""Rendering of a template as one self-contained HTML page, with style sheet, script and filters.

Jinja escapes all variables of a template, except Markup.
"""

import base64
import hashlib
import re
from functools import cache
from pathlib import Path

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from accelbench import project
from accelbench.analysis import verdicts
from accelbench.figures import style
from accelbench.pages import source

STATIC = Path(__file__).parent / "static"
SPACES = re.compile(r"(?<=[{;:]) | (?=})")  # Superfluous spaces in a style sheet


def render(package, template, filters=None, *, more_script="", **content):
    """Render a template of a package, and return the HTML.

    package      name of the package that contains the template
    template     file name of the template
    filters      filters of the package, in addition to the shared filters
    more_script  script to append to the shared script
    content      variables of the template in addition to `css`, `script` and `script_hash`
    """
    script = static(STATIC, "page.js") + more_script
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    furniture = {"css": Markup(css()), "script": Markup(script), "script_hash": f"sha256-{digest}"}
    return environment(package, **(filters or {})).get_template(template).render(**furniture, **content)


def static(folder, *names):
    """Return the joined scripts or style sheets `names` in `folder`, without indentation and comment lines."""
    tidy = _tidy_css if names[0].endswith(".css") else _tidy
    return tidy("".join((folder / name).read_text(encoding="utf-8") for name in names))


def _tidy(text):
    """Return a script or a style sheet without indentation, blank lines and comment lines."""
    lines = [line.strip() for line in text.splitlines()]
    return "".join(f"{line}\n" for line in lines if line and not line.startswith(("//", "/* ")))


def _tidy_css(text):
    return SPACES.sub("", _tidy(text))


@cache  # compiling a template takes longer than rendering most pages
def environment(package, **filters):
    """Return the Jinja environment with the templates of a package and the shared macros."""
    loader = ChoiceLoader([PackageLoader(package), PackageLoader("accelbench.pages")])
    jinja = Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    jinja.globals.update(glossary=glossary(), verdicts=verdicts)
    jinja.filters |= {
        "css_color": style.css_color,
        "slug": style.slug,
        "seconds": style.seconds,
        "ratio": style.ratio,
        "rate": style.rate,
        "size": style.size,
        "words": lambda name: str(name).replace("_", " "),
        "plain": lambda value: "–" if style.missing(value) else value,
        "count": lambda value: "–" if style.missing(value) else style.count(value),
        "percent": lambda value: "–" if style.missing(value) else f"{value:.0%}".replace("%", "\N{NO-BREAK SPACE}%"),
        "duration": duration,
        "sort_value": sort_value,
        "code_marks": code_marks,
        **filters,
    }
    return jinja


def css():
    """Return the style sheet.

    The style sheet contains the dark theme twice: once for the user's choice, and once for the system's setting.
    """
    text = (STATIC / "page.css").read_text(encoding="utf-8")
    dark = f"{static(STATIC, 'dark.css')} {style.css_variables(style.DARK, style.MACHINES_DARK, style.OTHER_DARK)}"
    themes = [
        f":root {{ {style.css_variables(style.LIGHT, style.MACHINES_LIGHT, style.OTHER_LIGHT)} }}",
        source.css(source.LIGHT_STYLE, ".code"),
        f":root[data-theme=dark] {{ {dark} }}",
        source.css(source.DARK_STYLE, ":root[data-theme=dark] .code"),
        "@media screen and (prefers-color-scheme: dark) {",
        f":root:not([data-theme=light]) {{ {dark} }}",
        source.css(source.DARK_STYLE, ":root:not([data-theme=light]) .code"),
        "}",
    ]
    return _tidy_css(text.replace("/* dark-variables */", "\n".join(themes)))


def code_marks(text):
    """Return escaped text, with parts between backticks as <code>."""
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(text))))


def duration(seconds):
    """Return a duration in seconds as text in minutes and seconds; a dash if the duration is missing."""
    if style.missing(seconds):
        return "–"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


def sort_value(value):
    """Return the HTML attribute by which pages sort a table: the value with six digits; "" for a missing value."""
    return "" if style.missing(value) else Markup(f' data-v="{value:.6g}"')


ROW = re.compile(r"^\| \*\*(.+?)\*\* \| (.+) \|$", re.MULTILINE)


@cache
def glossary() -> dict[str, str]:
    """Return {term: meaning} from docs/glossary.md, without Markdown. A row of the file may explain several terms."""
    file = project.ROOT / "docs" / "glossary.md"
    text = file.read_text(encoding="utf-8") if file.is_file() else ""
    rows = [(names, re.sub(r"[*`]", "", meaning)) for names, meaning in ROW.findall(text)]
    return {name.strip(): meaning for names, meaning in rows for name in names.split(",")}
