"""Compilers' logs: the line that names the cause of a failure."""

import re

# The first pattern that matches the beginning of any line decides. Compilers indent quoted lines of source; Cython does
# not, so that its patterns come first.
TELLING = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"(\S+: )?the compiler (was stopped|ran out of memory)",  # our own words, which name the limit
        # What fails while it is translated; Cython heads each by "Error compiling Cython file:".
        r"\S+\.p(y|yx|xd|xi)(:\d+){0,2}: (?!warning)",
        # Linkers end with a line that says only that they failed.
        r".*(undefined (reference to|symbol)|multiple definition of|unresolved extern|relocation \S+ against)",
        r".*cannot find (-l|symbol)",
        r"(?!\s|collect2:).*\b(error|fatal)\s*:",
    )
]


def telling_line(log):
    """Return the line of a compiler's log that names the cause, or its last line; "" for an empty log."""
    lines = [line.rstrip() for line in log.splitlines() if line.strip()]
    found = (line for pattern in TELLING for line in lines if pattern.match(line))
    return next(found, lines[-1] if lines else "").strip()
