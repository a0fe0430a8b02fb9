"""A kernel's page: its words, its figures, its cases, what default blocks cost, its sources."""

from collections import defaultdict
from dataclasses import dataclass

from accelbench.analysis.analysis import Family
from accelbench.analysis.cases import Case, baseline_name
from accelbench.analysis.choosing import Best
from accelbench.analysis.verdicts import Comparison
from accelbench.decide import Answer, Answers
from accelbench.model.metadata import ImplementationMetadata, KernelMetadata
from accelbench.pages import source
from accelbench.report import case_table
from accelbench.report.overview import Paying, faster_numpy, paying

LOG_LENGTH = 6000


@dataclass(frozen=True)
class KernelSection:
    """What the page of a kernel shows.

    plots     its figures by what they show
    answers   {Family: its Answer at each size}
    regret    (the best block size's Best, the default's Case or None, how many times as long that takes)
    paying    {Family: (kinds of time, from which size each pays)}
    """

    name: str
    metadata: KernelMetadata
    paragraphs: list
    backends: dict
    plots: dict
    faster_numpy: list[Case]
    cases: case_table.CaseTable
    regret: list[tuple[Best, Case | None, Comparison]]
    sources: list
    answers: dict[Family, list[Answer]]
    paying: dict[Family, tuple[list[str], list[Paying]]]

    def plots_of(self, kinds):
        return [plot for kind in kinds for plot in self.plots.get(kind, ())]


@dataclass(frozen=True)
class SourceTab:
    """An implementation: (name, `parts`, None) of files, or (name, [], who has shown it before); (Artifact, end of its
    log, link to its annotations) of builds."""

    name: str
    about: ImplementationMetadata
    files: list
    builds: list
    on_paper: bool


def kernel(answers: Answers, name: str, *, plots, annotations) -> KernelSection:
    """The page of a kernel, from what there is of all."""
    analysis, metadata = answers.analysis, answers.analysis.kernels[name]
    own = {family: answers.usual(family).at_sizes for family in answers.sizes if family.kernel == name}
    rows = {family: paying(analysis, family) for family in analysis.families(name)}
    return KernelSection(
        name=name,
        metadata=metadata,
        paragraphs=paragraphs(metadata.description),
        backends=analysis.backends(name),
        plots=plots,
        faster_numpy=faster_numpy(analysis, name),
        cases=case_table.table(analysis, name),
        regret=regrets(analysis, name) if analysis.gpus else [],
        sources=sources(metadata, annotations, [several[-1] for several in own.values() if several]),
        answers=own,
        paying={family: found for family, found in rows.items() if found[1]},
    )


def paragraphs(text):
    """(text, whether its lines are to be kept) of each paragraph: formulas and tables are indented."""
    parts = [part.strip("\n") for part in text.split("\n\n")]
    return [(part, part.startswith("    ")) for part in parts if part.strip()]


def regrets(analysis, kernel: str):
    """What the default block costs at each problem's largest size, as Analysis.regrets has it, the dearest first."""
    own = [row for row in analysis.regrets if row[0].case.record.kernel == kernel]
    largest = defaultdict(int)
    for best, _, _ in own:
        key = *best.case.problem[:3], best.case.record.device
        largest[key] = max(largest[key], best.case.record.size)
    shown = [
        (b, d, loss)
        for b, d, loss in own
        if d and b.case.record.size == largest[*b.case.problem[:3], b.case.record.device]
    ]
    return sorted(shown, key=lambda row: (-(row[2].ratio or 0), row[0].case.record.implementation))


def sources(metadata, annotations, largest: list[Answer]):
    """The implementations of a kernel with highlighted files, what may be the baseline first. What is so at the largest
    size, and the first there, go on paper."""
    bests = [answer.best.case for answer in largest]
    paper = {name for case in bests for name in (case.record.implementation, baseline_name(case))}
    names = sorted(metadata.implementations, key=lambda name: (name not in metadata.all_baselines, name))
    shown = {}
    return [_source(metadata, name, shown, on_paper=name in paper, annotations=annotations) for name in names]


def _source(metadata, name, shown, *, on_paper, annotations):
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
    return SourceTab(name, about, files, builds, on_paper)
