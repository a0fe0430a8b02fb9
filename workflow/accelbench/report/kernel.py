"""A kernel's page: its words, its figures, its cases, what default blocks cost, its sources."""

from collections import defaultdict
from dataclasses import dataclass, replace

from accelbench.analysis import Analysis
from accelbench.analysis.tables.regret import RegretRow
from accelbench.model.metadata import ImplementationMetadata, KernelMetadata
from accelbench.pages import source
from accelbench.report import case_table
from accelbench.report.overview import PayingTable, Race, faster_numpy, paying

LOG_LENGTH = 6000


@dataclass(frozen=True)
class KernelSection:
    """What the page of a kernel shows; `plots` are its figures by what they show, `regret` rows with whether their best
    is launch-bound."""

    name: str
    metadata: KernelMetadata
    paragraphs: list
    backends: dict
    plots: dict
    faster_numpy: list
    cases: case_table.CaseTable
    regret: list
    sources: list
    races: list[Race]
    paying: list[PayingTable]

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


def kernel(analysis: Analysis, name: str, *, plots, annotations, races: list[Race]) -> KernelSection:
    """The page of a kernel, from what there is of all."""
    metadata = analysis.kernels[name]
    own = [race for race in races if race.family.kernel == name]
    return KernelSection(
        name=name,
        metadata=metadata,
        paragraphs=paragraphs(metadata.description),
        backends=analysis.backends(name),
        plots=plots,
        faster_numpy=faster_numpy(analysis, name),
        cases=case_table.table(analysis, name),
        regret=regret_rows(analysis, name) if analysis.gpus else [],
        sources=sources(metadata, annotations, own),
        races=own,
        paying=paying(analysis, name),
    )


def paragraphs(text):
    """(text, whether its lines are to be kept) of each paragraph: formulas and tables are indented."""
    parts = [part.strip("\n") for part in text.split("\n\n")]
    return [(part, part.startswith("    ")) for part in parts if part.strip()]


def regret_rows(analysis: Analysis, kernel: str):
    """(RegretRow, whether its best is launch-bound): what the default block costs at each problem's largest size, the
    dearest first."""
    rows = analysis.table(RegretRow, kernel)
    largest = defaultdict(int)
    for row in rows:
        key = row.dtype, row.options, row.device
        largest[key] = max(largest[key], row.size)
    shown = [r for r in rows if r.size == largest[r.dtype, r.options, r.device] and r.default_block_size]
    shown.sort(key=lambda row: (-(row.regret or 0), row.implementation))
    return [(_with_one_time(row), analysis.timings[row.case].launch_bound) for row in shown]


def _with_one_time(row):
    """A default that is the best has one time, of all repetitions, not another of those that it was not chosen by."""
    itself = row.default_block_size == row.best_block_size and row.default_s is not None
    return replace(row, best_s=row.default_s) if itself else row


def sources(metadata, annotations, races):
    """The implementations of a kernel with highlighted files, what may be the baseline first. What is so at the largest
    size, and the fastest there, go on paper."""
    largest = [race.sizes[-1].row for race in races]
    paper = {*(row.baseline for row in largest), *(name for row in largest for name in row.names[:1])}
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
