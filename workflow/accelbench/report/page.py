"""The pages of a machine: what their templates show, each part from the Analysis."""

import re
from pathlib import Path
from types import SimpleNamespace

from markupsafe import Markup

from accelbench.analysis import Analysis
from accelbench.analysis.cases import baseline_name
from accelbench.decide import Answer, Answers, words
from accelbench.decide.answer import PAGE_LOCKED
from accelbench.figures import style
from accelbench.pages import machine, source
from accelbench.pages import page as pages
from accelbench.report import case_table, commands, decide_page, method, outcomes
from accelbench.store import failures as failed_stages

STATIC = Path(__file__).parent / "static"
LAID = re.compile(r'href="([\w-][\w.-]*)/index\.html"')  # on the page of all machines


def content(analysis: Analysis, folder: Path, config, *, plots, annotations, **more) -> SimpleNamespace:
    """Return what the templates show of one machine.

    folder       results/<machine>/
    config       shown as what reproduces the results where they hold no record of their own runs
    plots        {kernel: its Plots by what they show}
    annotations  {(kernel, implementation, place in its build): link to a page that Cython wrote}
    """
    answers, conditions = Answers(analysis), method.conditions(analysis)
    kernels = [kernel_content(answers, name, plots=plots[name], annotations=annotations) for name in analysis.kernels]
    usual, outcome_counts = decide_page.usual_states(answers), outcomes.counts(analysis)
    citation = method.citation(analysis)
    return SimpleNamespace(
        analysis=analysis,
        machine=analysis.machine,
        gpus=analysis.gpus,
        short_devices=analysis.short_devices,
        measured_on=method.measured_on(analysis),
        conditions=conditions,
        old=method.old(analysis),
        machine_facts=machine.facts(analysis.machine) + machine.instance_facts(conditions.instances),
        runs=method.runs(analysis, config),
        kernels=kernels,
        usual=usual,
        failures=outcomes.failures(analysis),
        failed_stages=failed_stages.of(folder),
        remedies=outcomes.what_would_help(analysis),
        backends_without_a_time=outcomes.backends_without_a_time(analysis),
        outcome_counts=outcome_counts,
        not_ok=sum(cases for outcome, cases in outcome_counts.items() if outcome != "ok"),
        peaks=analysis.peaks,
        commit=next((run.commit for _, run in analysis.results.runs if run.commit), None),
        has_pinned=PAGE_LOCKED in answers.places,
        choices_data=decide_page.data(answers, citation=citation, annotations=annotations),
        one_process=not any(best.tie for best in analysis.fastest("compute").values()),
        left_out={name: about.left_out for name, about in analysis.kernels.items() if about.left_out},
        run_again=lambda name: commands.run(analysis, name),
        citation=citation,
        **more,
    )


def render(page: SimpleNamespace) -> dict[str, str]:
    """Return {path: HTML} of all pages of a machine."""
    script = pages.static(STATIC, "decide.js", "effort.js", "decide_page.js")
    css, rows = (Markup(pages.static(STATIC, name)) for name in ("decide.css", "outcomes.css"))
    decides = {"more_script": script, "own_css": css}
    found = {
        "machine.html": _page(page, "machine.html", here="machine"),
        "outcomes.html": _page(page, "outcomes.html", here="outcomes", own_css=rows),
    }
    for shown in page.kernels:
        found[f"kernels/{shown.name}.html"] = _page(page, "kernel.html", here=shown.name, up="../", kernel=shown)
    return found | {"index.html": _page(page, "index.html", here="index", **decides)}


def _page(page, name, *, here, up="", **content):
    """Return the HTML of a template; `here` says which page it is, `up` leads from it to the folder of index.html."""
    return pages.render(
        "accelbench.report",
        f"{name}.jinja",
        filters=FILTERS,
        page=page,
        here=here,
        up=up,
        **content,
    )


def laid_together(name: str, above: Path) -> list[str]:
    """Return the results folders that machines.html in the folder `above` holds beneath it, in its order, the one of
    that name among them; none where it does not hold that one. What is in reports/<machine>/ leads to no such page:
    `snakemake --report` packs that folder without what lies above it."""
    page = above / "machines.html"
    found = LAID.findall(page.read_text(encoding="utf-8")) if page.is_file() else []
    return list(dict.fromkeys(found)) if name in found else []


def named(answer, bests=None):
    """Return (name, backend) of several Bests of an Answer; of its leaders where none are given."""
    several = answer.leaders if bests is None else bests
    return [(words.named(answer, best), best.case.record.backend) for best in several]


def share(value):
    """Return a share of all, to a tenth of a percent."""
    return "–" if style.missing(value) else f"{value:.1%}".replace("%", "\N{NO-BREAK SPACE}%")


def change(shift):
    """Return how much faster or slower something became: "14 %", from twice as fast or slow on "a factor of 8.7"."""
    if style.missing(shift):
        return "–"
    return f"a factor of {shift + 1:.2g}" if shift >= 1 else f"{shift:.0%}".replace("%", "\N{NO-BREAK SPACE}%")


def few(names, most=3):
    """Return the first of several names, and how many more there are."""
    names = list(names)
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")


FILTERS = {
    **{each.__name__: each for each in (few, share, change, named)},
    "manner": words.manner,
    "gain": lambda answer: words.speedup(answer, answer.best),
    "verdict": words.verdict,
    "headline": words.headline,
    "details": words.details,
}


LOG_LENGTH = 6000


def kernel_content(answers: Answers, name: str, *, plots, annotations) -> SimpleNamespace:
    """Return what the page of a kernel shows.

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
    """Return (text, whether its lines are to be kept) of each paragraph: formulas and tables are indented."""
    parts = [part.strip("\n") for part in text.split("\n\n")]
    return [(part, part.startswith("    ")) for part in parts if part.strip()]


def sources(metadata, annotations, largest: list[Answer]):
    """Return the implementations of a kernel with highlighted files, what may be the baseline first. What is so at the
    largest size, and the first there, go on paper."""
    bests = [answer.best.case for answer in largest]
    paper = {name for case in bests for name in (case.record.implementation, baseline_name(case))}
    names = sorted(metadata.implementations, key=lambda name: (name not in metadata.all_baselines, name))
    shown = {}
    return [_source(metadata, name, shown, on_paper=name in paper, annotations=annotations) for name in names]


def _source(metadata, name, shown, *, on_paper, annotations):
    """Return an implementation: (name, `parts`, None) of files, or (name, [], what has shown it before); (Artifact, end
    of its log, link to its annotations) of builds."""
    about = metadata.implementations[name]
    firsts = [(file, shown.setdefault((file.name, file.text), name)) for file in about.files]
    files = [
        (file.name, source.parts(file.name, file.text), None) if first == name else (file.name, [], first)
        for file, first in firsts
    ]
    builds = [
        (artifact, artifact.log if len(artifact.log) <= LOG_LENGTH else f"… {artifact.log[-LOG_LENGTH:]}",
         annotations.get((metadata.kernel, name, number)))
        for number, artifact in enumerate(about.build)
    ]  # fmt: skip
    return SimpleNamespace(name=name, about=about, files=files, builds=builds, on_paper=on_paper)
