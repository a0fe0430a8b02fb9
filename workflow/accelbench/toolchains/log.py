"""Compilers' logs: the line that names the cause of a failure."""

import re

# Patterns of lines that name the cause, the most precise pattern first. A pattern must match at the start of a line.
# All patterns except the linkers' exclude indented lines, in which compilers quote the source. Cython quotes without an
# indent, so its pattern comes early.
TELLING = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"(\S+: )?the compiler (was stopped|ran out of memory)",  # messages of compiler.run, which name the limit
        # Errors that translators find in a source. Cython prints "Error compiling Cython file:" above each error.
        r"\S+\.p(y|yx|xd|xi)(:\d+){0,2}: (?!warning)",
        # Errors of linkers. The last line of a linker's log names no cause.
        r".*(undefined (reference to|symbol)|multiple definition of|unresolved extern|relocation \S+ against)",
        r".*cannot find (-l|symbol)",
        r"(?!\s|collect2:).*\b(error|fatal)\s*:",
    )
]


def telling_line(log):
    """Return the line of a compiler's log that names the cause, or the log's last line; "" for an empty log."""
    lines = [line.rstrip() for line in log.splitlines() if line.strip()]
    causes = (line for pattern in TELLING for line in lines if pattern.match(line))
    return next(causes, lines[-1] if lines else "").strip()
