"""The lines of a source that a slide shows, in colour, no longer and no more than fit."""

import re
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
INDENT = 4  # blanks before what a line is continued by, beside its own
ENDS = (" ", ",([=")  # letters that a part of a line ends after, the better ones first
MORE = "…"


def shown(name, text):
    """What a slide shows of a file's text: the parts that are marked as the idea, else all but its docstring."""
    if any(map(source.IDEA.fullmatch, text.splitlines())):
        inside, kept = False, []
        for line in text.splitlines():
            if mark := source.IDEA.fullmatch(line):
                inside = bool(mark[1])
            elif inside:
                kept.append(line)
        return "\n".join(kept)
    return (DOCSTRING.sub("", text, count=1) if name.endswith((".py", ".pyx")) else text).strip("\n")


def lines(name, text, *, letters, most):
    """[[(column, run of letters, colour), ...], ...] of what is shown of a file: lines of at most so many `letters`,
    and at most so many lines, of which the last says where more would follow."""
    lexer = source.LEXERS.get(name.rsplit(".", 1)[-1], TextLexer)(stripnl=False)
    cells = [[]]
    for kind, value in lex(shown(name, text).expandtabs(4), lexer):
        color = next((color for token, color in COLORS if kind in token), style.INK)
        for letter in value:
            if letter == "\n":
                cells.append([])
            else:
                cells[-1].append((letter, color))
    while cells and not any(letter.strip() for letter, _ in cells[-1]):
        cells.pop()
    wrapped = [part for line in cells for part in _wrapped(line, letters)]
    if len(wrapped) > most:
        wrapped = [*wrapped[: most - 1], [(MORE, style.INK)]]
    return [_runs(line) for line in wrapped]


def longest(texts):
    """Letters of the longest line that is shown of several (name, text)."""
    return max(len(line.expandtabs(4)) for name, text in texts for line in ["", *shown(name, text).splitlines()])


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
