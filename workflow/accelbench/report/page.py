"""The pages of a machine: content of the templates, from the Analysis (evaluated results), and HTML of the pages."""

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
LAID = re.compile(r'href="([\w-][\w.-]*)/index\.html"')  # Link from the page of all machines to a report


def content(analysis: Analysis, folder: Path, config, *, plots, annotations, **more) -> SimpleNamespace:
    """Return the content of the templates for one machine.

    folder       results/<machine>/
    config       configuration that the report shows if the results have no record of their runs
    plots        {kernel: its Plots by subject, from views.kernel_plots}
    annotations  {(kernel, implementation, index of the build): link to an annotated page of Cython}
    more         further fields of the content
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
    html_pages = {
        "machine.html": _page(page, "machine.html", here="machine"),
        "outcomes.html": _page(page, "outcomes.html", here="outcomes", own_css=rows),
    }
    for shown in page.kernels:
        html_pages[f"kernels/{shown.name}.html"] = _page(page, "kernel.html", here=shown.name, up="../", kernel=shown)
    return html_pages | {"index.html": _page(page, "index.html", here="index", **decides)}


def _page(page, name, *, here, up="", **content):
    """Return the HTML of a template.

    here  name of the page
    up    relative path from the page to the folder of index.html
    """
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
    """Return the machines to which machines.html in `above` links, in the order of the links; [] if `name` has no link.

    Reports in reports/<machine>/ do not link to machines.html, since `snakemake --report` packs only this folder.
    """
    page = above / "machines.html"
    machines = LAID.findall(page.read_text(encoding="utf-8")) if page.is_file() else []
    return list(dict.fromkeys(machines)) if name in machines else []


def named(answer, bests=None):
    """Return (name, backend) of each of `bests`.

    If `bests` is None, use the leaders of the Answer: the fastest implementation and those that tie with it.
    """
    several = answer.leaders if bests is None else bests
    return [(words.named(answer, best), best.case.record.backend) for best in several]


def share(value):
    """Return a share as text, in percent with one decimal."""
    return "–" if style.missing(value) else f"{value:.1%}".replace("%", "\N{NO-BREAK SPACE}%")


def change(shift):
    """Return a relative shift as text: 0.14 as "14 %", 7.7 as "a factor of 8.7"."""
    if style.missing(shift):
        return "–"
    return f"a factor of {shift + 1:.2g}" if shift >= 1 else f"{shift:.0%}".replace("%", "\N{NO-BREAK SPACE}%")


def few(names, most=3):
    """Return the first `most` names and the number of further names as text: "a, b, c and 4 more"."""
    names = list(names)
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")


FILTERS = {
    **{function.__name__: function for function in (few, share, change, named)},
    "manner": words.manner,
    "gain": lambda answer: words.speedup(answer, answer.best),
    "verdict": words.verdict,
    "headline": words.headline,
    "details": words.details,
}


LOG_LENGTH = 6000  # Maximum length of the shown end of a build log, in characters


def kernel_content(answers: Answers, name: str, *, plots, annotations) -> SimpleNamespace:
    """Return the content of a kernel's page.

    Among the fields of the content are:

    plots_of  function from subjects to their Plots
    answers   {Family (kernel, dtype and options): its Answers at all sizes}
    """
    analysis, metadata = answers.analysis, answers.analysis.kernels[name]
    answers_at_sizes = {family: answers.usual(family).at_sizes for family in answers.sizes if family.kernel == name}
    return SimpleNamespace(
        name=name,
        metadata=metadata,
        paragraphs=paragraphs(metadata.description),
        plots_of=lambda kinds: [plot for kind in kinds for plot in plots.get(kind, ())],
        cases=case_table.table(analysis, name),
        sources=sources(metadata, annotations, [several[-1] for several in answers_at_sizes.values() if several]),
        answers=answers_at_sizes,
    )


def paragraphs(text):
    """Return (text, whether to keep line breaks) of each paragraph. Indented formulas and tables keep line breaks."""
    parts = [part.strip("\n") for part in text.split("\n\n")]
    return [(part, part.startswith("    ")) for part in parts if part.strip()]


def sources(metadata, annotations, largest: list[Answer]):
    """Return the implementations of a kernel with highlighted files, possible baselines first.

    On paper, the page shows only the sources of the best implementations and baselines in the Answers `largest`.
    """
    bests = [answer.best.case for answer in largest]
    paper = {name for case in bests for name in (case.record.implementation, baseline_name(case))}
    names = sorted(metadata.implementations, key=lambda name: (name not in metadata.all_baselines, name))
    shown = {}
    return [_source(metadata, name, shown, on_paper=name in paper, annotations=annotations) for name in names]


def _source(metadata, name, shown, *, on_paper, annotations):
    """Return an implementation with its `files` and `builds`.

    A file is (name, highlighted parts, None). If an earlier implementation shows the same file, a file is (name, [],
    name of the earlier implementation). A build is (Artifact, end of its log, link to its annotated page or None).

    shown  {(file name, text): first implementation that shows this file}; this function adds the new files
    """
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
