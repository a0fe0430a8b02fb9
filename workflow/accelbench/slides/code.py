"""The lines of sources that a slide shows, in colour, no longer and no more than fit."""

import re
import textwrap
from functools import lru_cache
from itertools import groupby

from pygments import lex
from pygments.lexers import TextLexer
from pygments.token import Comment, Keyword, Name, Number, String

from accelbench.figures import style
from accelbench.pages import source

# Each at a contrast of at least 4.5:1 with white.
COLORS = (
    (Comment, "#59626e"),
    (Keyword, "#0b5cad"),
    (String, "#8a4b00"),
    (Number, "#8a4b00"),
    (Name.Builtin, "#0b5cad"),
)
DOCSTRING = re.compile(r'^"""(?:.|\n)*?"""\n+', re.MULTILINE)  # of a module
PYTHON = (".py", ".pyx")
# What a file begins with before anything is computed: imports and settings; what it is about and includes.
HEAD = re.compile(
    r"^(?:c?import .*|from .* c?import (?:\([^()]*\)|.*)|[A-Z_]+ = (?:\d.*|\([^()]*\).*))\n+", re.MULTILINE
)
C_HEAD = re.compile(r"\A/\*(?:.|\n)*?\*/\n+|^#include .*\n+", re.MULTILINE)
INDENT = 4  # blanks before what a line is continued by, beside its own
ENDS = (" ", ",([=")  # letters that a part of a line ends after, the better ones first
MORE = "…"
LEAST = 8  # lines of a file that say something


def shown(name, text, *, brief=False):
    """What a slide shows of a file's text: the parts that are marked as the idea, else all but its docstring; in brief
    without what it begins with either."""
    if (idea := source.idea(text)) is not None:
        return textwrap.dedent(idea)
    text = DOCSTRING.sub("", text, count=1) if name.endswith(PYTHON) else source.PADDED.sub(r" \\", text)
    if brief:
        text = (HEAD if name.endswith(PYTHON) else C_HEAD).sub("", text).replace("\n\n\n", "\n\n")
    return text.strip("\n")


def rows(texts, *, letters):
    """Rows that several (name, text) take in full: the `lines` of each, one for its name, and a blank between them."""
    return sum(len(lines(*each, letters=letters)) + 2 for each in texts) - 1


def excerpts(texts, *, letters, rows):
    """The `lines` of each (name, text) for which so many rows have room, besides a name each and a blank between them:
    all of them, else those in brief, else LEAST or more of these, of the longest files as many as of each other. None
    where there is no room for so many."""
    rows -= 2 * len(texts) - 1
    whole, brief = ([lines(*each, letters=letters, brief=brief) for each in texts] for brief in (False, True))
    for found in (whole, brief):
        if sum(map(len, found)) <= rows:
            return found
    shares = [most for most in range(LEAST, rows + 1) if sum(min(len(each), most) for each in brief) <= rows]
    return [_cut(each, max(shares)) for each in brief] if shares else None


def lines(name, text, *, letters, brief=False):
    """[[(column, run of letters, colour), ...], ...] of what is shown of a file: lines of at most so many `letters`."""
    return [_runs(part) for line in _cells(name, text, brief) for part in _wrapped(line, letters)]


@lru_cache(maxsize=64)
def _cells(name, text, brief):
    """[[(letter, colour), ...], ...] of what is shown of a file, by lines."""
    lexer = source.LEXERS.get(name.rsplit(".", 1)[-1], TextLexer)(stripnl=False)
    cells = [[]]
    for kind, value in lex(shown(name, text, brief=brief).expandtabs(4), lexer):
        color = next((color for token, color in COLORS if kind in token), style.INK)
        for letter in value:
            if letter == "\n":
                cells.append([])
            else:
                cells[-1].append((letter, color))
    while cells and not any(letter.strip() for letter, _ in cells[-1]):
        cells.pop()
    return cells


def longest(texts):
    """Letters of the longest line that is shown of several (name, text)."""
    return max(len(line.expandtabs(4)) for name, text in texts for line in ["", *shown(name, text).splitlines()])


def _cut(found, most):
    """At most so many of the lines, of which the last says where more would follow."""
    return found if len(found) <= most else [*found[: most - 1], [(0, MORE, style.INK)]]


def _wrapped(line, letters):
    """A line in parts of at most so many letters, each but the first indented further than it, ending after a blank
    where one is, else after what an expression goes on behind."""
    text = "".join(letter for letter, _ in line)
    own = len(text) - len(text.lstrip())
    indent = [(" ", style.INK)] * min(own + INDENT, letters // 2)
    rest = line
    while len(rest) > letters:
        places = [[n for n in range(letters // 2, letters) if rest[n][0] in ends] for ends in ENDS]
        end = next((found[-1] + 1 for found in places if found), letters)
        yield rest[:end]
        rest = indent + rest[end:]
    yield rest


def _runs(line):
    """Neighbours of one colour together, without blanks at either end, which no renderer would keep."""
    found, column = [], 0
    for color, group in groupby(line, key=lambda cell: cell[1]):
        run = "".join(letter for letter, _ in group)
        if run.strip():
            found.append((column + len(run) - len(run.lstrip()), run.strip(), color))
        column += len(run)
    return found
