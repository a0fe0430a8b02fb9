"""Highlighted sources as HTML, and excerpts of sources."""

import re
from functools import cache

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import CLexer, CppLexer, CudaLexer, CythonLexer, FortranLexer, PythonLexer, TextLexer

LEXERS = {
    "py": PythonLexer,
    "pyx": CythonLexer,
    "pxd": CythonLexer,
    "c": CLexer,
    "h": CLexer,
    "cl": CLexer,
    "cpp": CppLexer,
    "hpp": CppLexer,
    "cu": CudaLexer,
    "cuh": CudaLexer,
    "f90": FortranLexer,
}
IDEA = re.compile(r"\s*(?:#|//|/\*) (?:(idea: .*)|end of idea[\s*/\\]*)")  # Comments before and after lines for slides
DOCSTRING = re.compile(r'\A"""[^"]*"""\n*')
PADDED = re.compile(r" +\\$", re.MULTILINE)  # Aligned backslashes at the ends of a macro's lines
# Blank lines, comments, includes, imports and `#pragma once` at the beginning of a source, before all other statements
PREAMBLE = re.compile(
    r"\A(?:[ \t]*(?:/\*.*?\*/|(?://|#(?!define|pragma (?!once)))[^\n]*"
    r"|(?:from|c?import)\b(?:[^\n(]*\([^)]*\)|[^\n]*))?[ \t]*\n)+",
    re.DOTALL,
)
MOST_LINES = 12  # Maximum number of lines in an excerpt
# Classes of Pygments' tokens that pages colour: comments, keywords, numbers, strings and built-in names
TOKENS = re.compile(r"c|c[hmps1]|cpf|k[cdnrt]?|ow|m[bfhio]?|il|s[ad12e]?|nb|hll")
TOKEN = re.compile(r"\.(\w+) \{")
SPAN = re.compile(r'<span class="(\w+)">([^<]*)</span>')
LIGHT_STYLE, DARK_STYLE = "xcode", "github-dark"  # Pygments' styles with a contrast of at least 4.5 to the page


def lexer(name):
    """Return the lexer for the language of a file with this name."""
    return LEXERS.get(name.rpartition(".")[2], TextLexer)(stripnl=False)


@cache
def to_html(name, text):
    """Return a file's text as escaped HTML, with a CSS class for each coloured token."""
    html = highlight(text, lexer(name), HtmlFormatter(nowrap=True))
    return SPAN.sub(lambda span: span[0] if TOKENS.fullmatch(span[1]) else span[2], html)


def parts(name, text):
    """Return the parts of a file: [(whether the part is marked as the idea, lines of the part as HTML), ...].

    Comments in the file mark the idea, the lines that slides show. A file without marks is a single part.
    """
    divided = [(False, [])]
    for line, html in zip(text.split("\n"), to_html(name, text).split("\n"), strict=False):
        mark = IDEA.fullmatch(line)
        if mark and mark[1]:
            divided.append((True, []))
        divided[-1][1].append(html)
        if mark and not mark[1]:
            divided.append((False, []))
    return [(idea, lines) for idea, lines in divided if any(lines)]


def idea(text):
    """Return the lines of a text that are marked as its idea; None if no line is marked."""
    inside, marked, lines = False, False, []
    for line in text.split("\n"):
        if mark := IDEA.fullmatch(line):
            inside, marked = bool(mark[1]), True
        elif inside:
            lines.append(line)
    return "\n".join(lines) if marked else None


def excerpt(file, most=MOST_LINES) -> str:
    """Return an excerpt of a file with at most `most` lines, followed by a line "…" if more lines were cut off.

    The excerpt contains the lines marked as the idea, or the text without the docstring if no line is marked. If the
    excerpt would be too long, it omits comments, includes and imports at the beginning.

    file  an object with an attribute `text`
    """
    marked = idea(file.text)
    whole = file.text if marked is None else marked
    text = DOCSTRING.sub("", PADDED.sub(r" \\", whole)).strip("\n")
    lines = (text if text.count("\n") < most else PREAMBLE.sub("", text)).split("\n")
    return "\n".join(lines if len(lines) <= most else [*lines[:most], "…"])


def css(theme_style, scope):
    """Return the CSS rules of a Pygments style, nested in the selector `scope`. The rules set no background."""
    rules = (
        rule.split(" /*")[0] for rule in HtmlFormatter(style=theme_style, nobackground=True).get_token_style_defs("")
    )
    token_rules = [rule for rule in rules if (match := TOKEN.search(rule)) and TOKENS.fullmatch(match[1])]
    return "\n".join([f"{scope} {{", *token_rules, "}"])
