"""The page: what the templates show, each part from the Analysis."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from markupsafe import Markup

from accelbench.analysis import Analysis
from accelbench.analysis.tables.peaks import PeakRow
from accelbench.analysis.tables.timings import TimingRow
from accelbench.analysis.tables.winners import WinnerRow
from accelbench.figures import style
from accelbench.pages import machine, sandbox
from accelbench.pages import page as pages
from accelbench.report import data_sheets, device_views, kernel, method, outcomes, overview
from accelbench.store import failures as failed_stages
from accelbench.store.load import read_profiles

SHOWN_FUNCTIONS = 8  # of a profile; all are in its table


@dataclass
class Page:
    """The report of one machine.

    folder       results/<machine>/
    config       shown as what reproduces the results where they hold no record of their own runs
    svgs         {name of a figure: its SVG}
    annotations  {(kernel, implementation, place in its build): link to a page that Cython wrote}
    profiles     see copy_profiles
    lectures     whether the lectures' page lies beside this one
    """

    analysis: Analysis
    folder: Path
    config: object
    heatmaps: list
    rooflines: list
    plots: dict
    svgs: dict
    annotations: dict
    profiles: list
    lectures: bool

    def __post_init__(self):
        analysis = self.analysis
        self.machine, self.gpus, self.short_devices = analysis.machine, analysis.gpus, analysis.short_devices
        self.apart = analysis.is_apart
        self.svgs = {name: Markup(svg) for name, svg in self.svgs.items()}
        self.measured_on = method.measured_on(analysis)
        self.conditions = method.conditions(analysis)
        self.old = method.old(analysis)
        self.machine_facts = machine.facts(self.machine) + machine.instance_facts(self.conditions.instances)
        self.runs = method.runs(analysis, self.config)
        self.citation = method.citation(analysis)
        self.races = overview.races(analysis)
        self.headlines = overview.headlines(analysis, self.races)
        self.paying = overview.paying(analysis)
        self.kernels = [
            kernel.kernel(analysis, name, plots=self.plots[name], annotations=self.annotations, races=self.races)
            for name in analysis.kernels
        ]
        self.failures = outcomes.failures(analysis)
        self.failed_stages = failed_stages.of(self.folder)
        self.outcome_counts = outcomes.counts(analysis)
        self.peaks = analysis.table(PeakRow)
        self.data_sheets = data_sheets.beside(self.peaks)
        self.launched, self.launches = device_views.launch_table(analysis) if self.gpus else ([], [])

    @cached_property
    def backends(self):
        """The backends of anything that was planned, in the order of their colours."""
        used = {row.backend for row in self.analysis.table(TimingRow) if row.kernel in self.analysis.kernels}
        return [name for name in style.LIGHT if name in used] + sorted(used - style.LIGHT.keys())

    @cached_property
    def one_process(self):
        """Whether nothing was measured in two processes."""
        return not any(row.decision in ("winner", "tie") for row in self.analysis.table(WinnerRow))

    @cached_property
    def left_out(self):
        """{kernel: how many cases were measured before and not asked for by the last run}."""
        return {name: metadata.left_out for name, metadata in self.analysis.kernels.items() if metadata.left_out}


def render(page: Page) -> str:
    """The HTML of the whole page."""
    return pages.render(
        "accelbench.report",
        "index.html.jinja",
        filters={"crossover": crossover, "loss": loss, "few": few, "share": share},
        page=page,
        shown_functions=SHOWN_FUNCTIONS,
    )


def copy_profiles(folder: Path, report_dir: Path):
    """Copy the tables and flame graphs of profiles beside the report; (Profile, [(title, relative link), ...]), slowest
    first."""
    profiles = []
    for path, profile in read_profiles(folder).items():
        files = [("flame graph", path.with_suffix(".html")), ("the whole table", path.with_suffix(".txt"))]
        links = [(title, sandbox.copy(file, folder, report_dir)) for title, file in files if file.is_file()]
        profiles.append((profile, links))
    return sorted(profiles, key=lambda pair: pair[0].plain_s, reverse=True)


def crossover(row):
    """From which size a way pays, in words."""
    if not row or row.crossover is None:
        return "–"
    if row.crossover == "from":
        return f"size {style.size(row.faster_from_size)}"
    return {"always": "every size", "never": "never", "sometimes": "some sizes"}[row.crossover]


def loss(regret):
    """How much longer the default takes: "+21 %"; a dash for nothing known."""
    return "–" if style.missing(regret) else f"{regret - 1:+.0%}".replace("%", "\N{NO-BREAK SPACE}%")


def share(value):
    """A share of all, to a tenth of a percent."""
    return "–" if style.missing(value) else f"{value:.1%}".replace("%", "\N{NO-BREAK SPACE}%")


def few(words, most=3):
    """The first of words separated by spaces, and how many more there are."""
    words = (words or "").split(" ")
    return ", ".join(words[:most]) + (f" and {len(words) - most} more" if len(words) > most else "")
