"""The pages of a machine: what their templates show, each part from the Analysis."""

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from markupsafe import Markup

from accelbench import decide
from accelbench.analysis import Analysis
from accelbench.analysis.tables.peaks import PeakRow
from accelbench.analysis.tables.winners import WinnerRow
from accelbench.decide.choices import PAGE_LOCKED
from accelbench.figures import style
from accelbench.pages import machine
from accelbench.pages import page as pages
from accelbench.report import (
    commands,
    decide_page,
    device_views,
    effort,
    kernel,
    method,
    outcomes,
    overview,
)
from accelbench.store import failures as failed_stages

STATIC = Path(__file__).parent / "static"
LAID = re.compile(r'href="([\w-][\w.-]*)/index\.html"')  # on the page of all machines


@dataclass
class Page:
    """The report of one machine.

    folder       results/<machine>/
    config       shown as what reproduces the results where they hold no record of their own runs
    svgs         {name of a figure: its SVG}
    annotations  {(kernel, implementation, place in its build): link to a page that Cython wrote}
    lectures     whether the lectures' pages lie beside these
    machines     see laid_together
    """

    analysis: Analysis
    folder: Path
    config: object
    heatmaps: list
    rooflines: list
    plots: dict
    svgs: dict
    annotations: dict
    lectures: bool
    machines: list

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
        races = overview.races(analysis)
        self.kernels = [
            kernel.kernel(
                analysis,
                name,
                plots=self.plots[name],
                annotations=self.annotations,
                races=races,
            )
            for name in analysis.kernels
        ]
        self.choices = decide.gather(analysis)
        self.usual = decide_page.usual_states(self.choices, analysis)
        self.usual_kernels = {usual.answer.state.kernel for usual in self.usual}
        self.failures = outcomes.failures(analysis)
        self.failed_stages = failed_stages.of(self.folder)
        self.remedies = outcomes.what_would_help(analysis)
        self.backends_without_a_time = outcomes.backends_without_a_time(analysis)
        self.outcome_counts = outcomes.counts(analysis)
        self.not_ok = sum(cases for outcome, cases in self.outcome_counts.items() if outcome != "ok")
        self.folded_maps = [plot for plot in self.heatmaps if plot.folded]
        self.peaks = analysis.table(PeakRow)
        self.launched, self.launches = device_views.launch_table(analysis) if self.gpus else ([], [])

    @property
    def commit(self):
        return next((run.commit for _, run in self.analysis.results.runs if run.commit), None)

    def run_again(self, kernel):
        return commands.run(self.analysis, kernel)

    @property
    def has_pinned(self):
        return PAGE_LOCKED in self.choices.places

    @property
    def choices_data(self):
        """What the script of index.html draws every state from."""
        parts = {"citation": self.citation, "anchors": self.anchors, "annotations": self.annotations}
        return decide_page.data(self.choices, self.analysis, **parts)

    @cached_property
    def anchors(self):
        """{anchor, or its beginning, of the days when all was one page: where that is now}."""
        found = {"machine": "machine.html", "method": "machine.html#method", "outcomes": "outcomes.html"}
        found |= {"figure-roofline": "machine.html", "figure-overview-speedup": "machine.html"}
        for shown in self.kernels:
            link, slug = f"kernels/{shown.name}.html", style.slug(shown.name)
            found |= {slug: link, f"figure-{shown.name}": link, f"source-{slug}": link, f"cases-{slug}": link}
        return found

    @cached_property
    def one_process(self):
        """Whether nothing was measured in two processes."""
        return not any(row.decision in ("winner", "tie") for row in self.analysis.table(WinnerRow))

    @cached_property
    def left_out(self):
        """{kernel: how many cases were measured before and not asked for by the last run}."""
        return {name: metadata.left_out for name, metadata in self.analysis.kernels.items() if metadata.left_out}


def render(page: Page) -> dict[str, str]:
    """{path: HTML} of all pages of a machine."""
    script = pages.static(STATIC, "decide.js", "effort.js", "decide_page.js")
    css, rows = (Markup(pages.static(STATIC, name)) for name in ("decide.css", "outcomes.css"))
    decides = {"more_script": script, "own_css": css, "marks": decide_page.MARKS}
    found = {
        "machine.html": _page(page, "machine.html", here="machine"),
        "outcomes.html": _page(page, "outcomes.html", here="outcomes", own_css=rows),
    }
    for shown in page.kernels:
        found[f"kernels/{shown.name}.html"] = _page(page, "kernel.html", here=shown.name, up="../", kernel=shown)
    return found | {"index.html": _page(page, "index.html", here="index", **decides)}


def _page(page, name, *, here, up="", **content):
    """The HTML of a template; `here` says which page it is, `up` leads from it to the folder of index.html."""
    return pages.render(
        "accelbench.report",
        f"{name}.jinja",
        filters={
            each.__name__: each
            for each in (
                crossover,
                loss,
                few,
                share,
                change,
                decide_page.sure,
                decide_page.of_peak,
                effort.effort_chart,
            )
        },
        page=page,
        here=here,
        up=up,
        **content,
    )


def laid_together(name: str, above: Path) -> list[str]:
    """The results folders that machines.html in the folder `above` holds beneath it, in its order, the one of that name
    among them; none where it does not hold that one. What is in reports/<machine>/ leads to no such page: `snakemake
    --report` packs that folder without what lies above it."""
    page = above / "machines.html"
    found = LAID.findall(page.read_text(encoding="utf-8")) if page.is_file() else []
    return list(dict.fromkeys(found)) if name in found else []


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


def change(shift):
    """How much faster or slower something became: "14 %", from twice as fast or slow on "a factor of 8.7"."""
    if style.missing(shift):
        return "–"
    return f"a factor of {shift + 1:.2g}" if shift >= 1 else f"{shift:.0%}".replace("%", "\N{NO-BREAK SPACE}%")


def few(words, most=3):
    """The first of words separated by spaces, and how many more there are."""
    words = (words or "").split(" ")
    return ", ".join(words[:most]) + (f" and {len(words) - most} more" if len(words) > most else "")
