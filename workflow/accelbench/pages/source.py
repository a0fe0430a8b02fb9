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
IDEA = re.compile(r"\s*(?:#|//|/\*) (?:(idea: .*)|end of idea[\s*/\\]*)")  # around what a slide would show
LIGHT_STYLE, DARK_STYLE = "friendly", "github-dark"


@cache
def to_html(name, text):
    """A file's text as escaped HTML with a class per token, its language told from its name."""
    lexer = LEXERS.get(name.rsplit(".", 1)[-1], TextLexer)(stripnl=False)
    return highlight(text, lexer, HtmlFormatter(nowrap=True))


def parts(name, text):
    """[(whether it is marked as the idea, its lines as HTML), ...] of a file; one part where nothing is marked."""
    divided = [(False, [])]
    for line, html in zip(text.split("\n"), to_html(name, text).split("\n"), strict=False):
        mark = IDEA.fullmatch(line)
        if mark and mark[1]:
            divided.append((True, []))
        divided[-1][1].append(html)
        if mark and not mark[1]:
            divided.append((False, []))
    return [(idea, lines) for idea, lines in divided if any(lines)]


def css(theme_style, scope):
    """Rules for the tokens' classes within a CSS selector; the page's own background shows through."""
    formatter = HtmlFormatter(style=theme_style, nobackground=True)
    rules = (rule for rule in formatter.get_token_style_defs(scope))
    return "\n".join(rule.split(" /*")[0] for rule in rules)
