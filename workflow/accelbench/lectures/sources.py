"""Sources that stand beside a figure, ours and the slide's, compared line by line."""

import difflib
from collections.abc import Sequence
from typing import NamedTuple


class SourceText(NamedTuple):
    """Lines of a source; `differs` are the numbers of those that its neighbour does not have. Of lines of a slide, `of`
    is what the slide calls them."""

    name: str
    text: str
    differs: Sequence[int] = ()
    of: str | None = None


class Source(NamedTuple):
    """An implementation that is shown."""

    kernel: str
    implementation: str
    backend: str
    files: list[SourceText]


def shown(entry, results):
    """The Sources that `code` names, as far as the results have them."""
    known = {
        (kernel, name): about for kernel, own in results.kernels.items() for name, about in own.implementations.items()
    }
    return [source(code, known[place]) for code in entry.code if (place := (code.kernel, code.implementation)) in known]


def source(code, about):
    """The Source of what `code` names, from what is known about it: a backend and files."""
    texts = [SourceText(name=file.name, text=file.text) for file in about.files]
    return Source(kernel=code.kernel, implementation=code.implementation, backend=about.backend, files=texts)


def marked(pair):
    """Two Sources, the lines marked that the first file of the other does not have."""
    first = _mark([source.files[0] for source in pair])
    return [source._replace(files=[text, *source.files[1:]]) for source, text in zip(pair, first, strict=True)]


def quoted(entry):
    """The SourceTexts of a slide that a figure shows; of two, the lines that differ are marked."""
    found = [SourceText(name=f"slide.{q.language}", of=q.name, text=q.text.strip("\n")) for q in entry.slide_code]
    return _mark(found) if len(found) == 2 else found


def _mark(pair):
    lines, _ = compare_lines(*(text.text for text in pair))
    return [
        text._replace(differs=[n for n, (line, differs) in enumerate(own, 1) if differs and line.strip()])
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
