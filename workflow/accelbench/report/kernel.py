"""A kernel's page: its words, its figures, its cases, its sources."""

from types import SimpleNamespace

from accelbench.analysis.cases import baseline_name
from accelbench.decide import Answer, Answers
from accelbench.pages import source
from accelbench.report import case_table

LOG_LENGTH = 6000


def kernel(answers: Answers, name: str, *, plots, annotations) -> SimpleNamespace:
    """What the page of a kernel shows.

    plots_of  the figures that show any of several things
    answers   {Family: its Answer at each size}
    """
    analysis, metadata = answers.analysis, answers.analysis.kernels[name]
    own = {family: answers.usual(family).at_sizes for family in answers.sizes if family.kernel == name}
    return SimpleNamespace(
        name=name,
        metadata=metadata,
        paragraphs=paragraphs(metadata.description),
        plots_of=lambda kinds: [plot for kind in kinds for plot in plots.get(kind, ())],
        cases=case_table.table(analysis, name),
        sources=sources(metadata, annotations, [several[-1] for several in own.values() if several]),
        answers=own,
    )


def paragraphs(text):
    """(text, whether its lines are to be kept) of each paragraph: formulas and tables are indented."""
    parts = [part.strip("\n") for part in text.split("\n\n")]
    return [(part, part.startswith("    ")) for part in parts if part.strip()]


def sources(metadata, annotations, largest: list[Answer]):
    """The implementations of a kernel with highlighted files, what may be the baseline first. What is so at the largest
    size, and the first there, go on paper."""
    bests = [answer.best.case for answer in largest]
    paper = {name for case in bests for name in (case.record.implementation, baseline_name(case))}
    names = sorted(metadata.implementations, key=lambda name: (name not in metadata.all_baselines, name))
    shown = {}
    return [_source(metadata, name, shown, on_paper=name in paper, annotations=annotations) for name in names]


def _source(metadata, name, shown, *, on_paper, annotations):
    """An implementation: (name, `parts`, None) of files, or (name, [], what has shown it before); (Artifact, end of its
    log, link to its annotations) of builds."""
    about = metadata.implementations[name]
    files = []
    for file in about.files:
        first = shown.setdefault((file.name, file.text), name)
        files.append((file.name, source.parts(file.name, file.text) if first == name else [], first))
    files = [(file, parts, None if first == name else first) for file, parts, first in files]
    builds = [
        (artifact, artifact.log if len(artifact.log) <= LOG_LENGTH else f"… {artifact.log[-LOG_LENGTH:]}",
         annotations.get((metadata.kernel, name, number)))
        for number, artifact in enumerate(about.build)
    ]  # fmt: skip
    return SimpleNamespace(name=name, about=about, files=files, builds=builds, on_paper=on_paper)
