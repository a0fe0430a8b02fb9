"""Sources as highlighted HTML."""

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
IDEA = re.compile(r"\s*(?:#|//|/\*) (?:(idea: .*)|end of idea[\s*/\\]*)")  # Comments around the part for slides
DOCSTRING = re.compile(r'\A"""[^"]*"""\n*')
PADDED = re.compile(r" +\\$", re.MULTILINE)  # Aligned backslashes at the ends of a macro's lines
# Blank lines, comments, includes and imports at the beginning of a source; no #define and no #pragma but `once`
PREAMBLE = re.compile(
    r"\A(?:[ \t]*(?:/\*.*?\*/|(?://|#(?!define|pragma (?!once)))[^\n]*"
    r"|(?:from|c?import)\b(?:[^\n(]*\([^)]*\)|[^\n]*))?[ \t]*\n)+",
    re.DOTALL,
)
MOST_LINES = 12  # Maximum number of lines in an excerpt
# Coloured classes of Pygments' tokens: comments, keywords, numbers, strings and built-in names
TOKENS = re.compile(r"c|c[hmps1]|cpf|k[cdnrt]?|ow|m[bfhio]?|il|s[ad12e]?|nb|hll")
TOKEN = re.compile(r"\.(\w+) \{")
SPAN = re.compile(r'<span class="(\w+)">([^<]*)</span>')
LIGHT_STYLE, DARK_STYLE = "xcode", "github-dark"  # Styles in which all tokens have a contrast of 4.5 to the page


def lexer(name):
    """Return the lexer for a file's language, by the file's name."""
    return LEXERS.get(name.rpartition(".")[2], TextLexer)(stripnl=False)


@cache
def to_html(name, text):
    """Return a file's text as escaped HTML with a class per token."""
    html = highlight(text, lexer(name), HtmlFormatter(nowrap=True))
    return SPAN.sub(lambda span: span[0] if TOKENS.fullmatch(span[1]) else span[2], html)


def parts(name, text):
    """Return [(whether it is marked as the idea, its lines as HTML), ...] of a file; a single part without marks."""
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
    """Return the lines of a file's text that are marked as its idea; None if none are marked."""
    inside, marked, lines = False, False, []
    for line in text.split("\n"):
        if mark := IDEA.fullmatch(line):
            inside, marked = bool(mark[1]), True
        elif inside:
            lines.append(line)
    return "\n".join(lines) if marked else None


def excerpt(file, most=MOST_LINES) -> str:
    """Return an excerpt of a file: its idea, else its text without the docstring, with at most `most` lines.

    A longer text begins at its first line that is no comment, include or import.

    file  an object with a `text`
    """
    marked = idea(file.text)
    whole = file.text if marked is None else marked
    text = DOCSTRING.sub("", PADDED.sub(r" \\", whole)).strip("\n")
    lines = (text if text.count("\n") < most else PREAMBLE.sub("", text)).split("\n")
    return "\n".join(lines if len(lines) <= most else [*lines[:most], "…"])


def css(theme_style, scope):
    """Return the rules of the tokens' classes, nested in a CSS selector; the page's own background shows through."""
    rules = (
        rule.split(" /*")[0] for rule in HtmlFormatter(style=theme_style, nobackground=True).get_token_style_defs("")
    )
    token_rules = [rule for rule in rules if (match := TOKEN.search(rule)) and TOKENS.fullmatch(match[1])]
    return "\n".join([f"{scope} {{", *token_rules, "}"])
