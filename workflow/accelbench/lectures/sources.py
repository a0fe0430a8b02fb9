"""What lies beside the timings: sources compared line by line, Cython's annotated pages, profiles."""

import difflib
import fnmatch
import html
import re
from pathlib import Path

from accelbench.store import formats

SCORED_LINE = re.compile(r'<pre class="cython line score-(\d+)"[^>]*>(.*?)</pre>', re.DOTALL)
AGAIN = "Delete it and run again: make profile"


def profile_rows(folder, patterns):
    """The profiles in results/<machine>/profile/ whose KERNEL/IMPLEMENTATION matches, slowest first."""
    found = [formats.read(formats.Profile, path, AGAIN) for path in sorted(Path(folder).glob("*/*.json"))]
    chosen = [p for p in found if any(fnmatch.fnmatchcase(f"{p['kernel']}/{p['implementation']}", x) for x in patterns)]
    return sorted(chosen, key=lambda profile: profile["wall_s"], reverse=True)


def compare_lines(first, second):
    """([[(line, whether it differs), ...] of either text], how many lines are the same, blank ones not counted)."""
    texts = [text.strip("\n").splitlines() for text in (first, second)]
    matches = difflib.SequenceMatcher(None, *texts, autojunk=False).get_matching_blocks()
    same = [{m.a + i for m in matches for i in range(m.size)}, {m.b + i for m in matches for i in range(m.size)}]
    marked = [
        [(line, place not in kept) for place, line in enumerate(lines)] for lines, kept in zip(texts, same, strict=True)
    ]
    return marked, sum(not differs and bool(line.strip()) for line, differs in marked[0])


def annotated_scores(page):
    """The score of each line of a page that `cython -a` wrote: 0 where it became plain C."""
    return [int(score) for score, line in SCORED_LINE.findall(page) if html.unescape(line)]
