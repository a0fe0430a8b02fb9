"""Sources that stand beside a figure: ours, the slide's, what was profiled; compared line by line."""

import difflib
import fnmatch
import html
import re
from typing import Annotated

from pydantic import BaseModel, Field

from accelbench.model.machine import Whole
from accelbench.model.names import FILE_NAME, PATH
from accelbench.model.record import Name
from accelbench.store.load import read_profiles

SCORED_LINE = re.compile(r'<pre class="cython line score-(\d+)"[^>]*>(.*?)</pre>', re.DOTALL)


class SourceText(BaseModel):
    """Lines of a source; `differs` are the numbers of those that its neighbour does not have."""

    name: Annotated[str, Field(pattern=FILE_NAME)]
    text: str
    differs: list[Whole] = []


class SlideText(SourceText):
    """Lines of a slide, and what the slide calls them."""

    of: str | None


class Source(BaseModel):
    """An implementation that is shown."""

    kernel: Name
    implementation: Name
    backend: Name
    files: list[SourceText]


class Link(BaseModel):
    """A page beside ours, of an implementation."""

    implementation: Name
    href: Annotated[str, Field(pattern=PATH)]


def shown(entry, results):
    """The Sources that `code` names, where their kernel was measured or they were profiled."""
    found = []
    for source in entry.code:
        if about := implementation(source, results):
            texts = [SourceText(name=file.name, text=file.text) for file in about.files]
            named = {"kernel": source.kernel, "implementation": source.implementation}
            found.append(Source(**named, backend=about.backend, files=texts))
    return found


def implementation(source, results):
    """What the kernel's metadata says of an implementation, or its profile; None where there is neither."""
    if source.kernel in results.kernels:
        return results.kernels[source.kernel].implementations.get(source.implementation)
    found = profiles(results.home, [f"{source.kernel}/{source.implementation}"])
    return next((profile for profile in found if profile.files), None)


def marked(pair):
    """Two Sources, the lines marked that the first file of the other does not have."""
    first = _mark([source.files[0] for source in pair])
    return [
        source.model_copy(update={"files": [text, *source.files[1:]]}) for source, text in zip(pair, first, strict=True)
    ]


def quoted(entry):
    """The SlideTexts that a figure shows; of two, the lines that differ are marked."""
    found = [SlideText(name=f"slide.{q.language}", of=q.name, text=q.text.strip("\n")) for q in entry.slide_code]
    return _mark(found) if len(found) == 2 else found


def _mark(pair):
    lines, _ = compare_lines(*(text.text for text in pair))
    return [
        text.model_copy(update={"differs": [n for n, (line, differs) in enumerate(own, 1) if differs and line.strip()]})
        for text, own in zip(pair, lines, strict=True)
    ]


def compare_lines(first, second):
    """([[(line, whether it differs), ...] of either text], how many lines are the same, blank ones not counted)."""
    texts = [text.strip("\n").splitlines() for text in (first, second)]
    matches = difflib.SequenceMatcher(None, *texts, autojunk=False).get_matching_blocks()
    same = [{m.a + i for m in matches for i in range(m.size)}, {m.b + i for m in matches for i in range(m.size)}]
    lines = [
        [(line, place not in kept) for place, line in enumerate(text)] for text, kept in zip(texts, same, strict=True)
    ]
    return lines, sum(not differs and bool(line.strip()) for line, differs in lines[0])


def profiles(home, patterns):
    """The Profiles in <home>/profile/ whose KERNEL/IMPLEMENTATION matches, slowest first. home: results/<machine>/."""
    every = read_profiles(home).values()
    chosen = [p for p in every if any(fnmatch.fnmatchcase(f"{p.kernel}/{p.implementation}", x) for x in patterns)]
    return sorted(chosen, key=lambda profile: profile.wall_s, reverse=True)


def annotated_scores(page):
    """The score of each line of a page that `cython -a` wrote: 0 where it became plain C."""
    return [int(score) for score, line in SCORED_LINE.findall(page) if html.unescape(line)]
