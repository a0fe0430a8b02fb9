"""Summary at the end of a run. If the run failed, `end` first makes tables and reports of the existing results.

The summary names the pages, counts the outcomes, lists failures with their reasons, and says how to retry.
"""

import contextlib
import os
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

from accelbench import backends
from accelbench.config import run_plan
from accelbench.errors import InputError, notice, one_line
from accelbench.measure import plan
from accelbench.model.record import OUTCOMES
from accelbench.processes.supervision import with_package
from accelbench.store import failures, formats, journal, load

# Environment variable that the command `run` sets, so that `run` itself and not the Snakefile prints the summary
CALLER_PRINTS = "ACCELBENCH_CALLER_PRINTS_THE_END"
NO_FAILURES = ("ok", "unavailable", "unsupported", "too_slow")  # Outcomes that do not count as failures
NEED_GPU = "need a GPU (none here)"
REASONS = 6  # Maximum number of failure reasons printed for each machine
LONGEST = 200  # Maximum number of characters of a reason


def end(config, kernels, *, succeeded, started, targets=(), directory="."):
    """Return the summary of a run that has ended. If the run failed, first make tables and reports of its results.

    kernels  names of the kernels of this run
    started  start time of the run, by time.monotonic()
    targets  Snakemake's targets; if a target is a figure, the summary contains the sentences of the figure's text file
    """
    directory = Path(directory)
    if not succeeded:
        for machine in config.machines:
            try:
                _report_what_there_is(machine, directory, config=config, kernels=kernels)
            except InputError as error:  # the run's plan is damaged
                notice(f"note: {error}")
    drawn = [line for target in sorted(targets) for line in _figure(directory / target)]
    seconds = time.monotonic() - started
    stop = None if succeeded else failures.stop(directory, time.time() - seconds)
    why = [f"Failed:   Snakemake: {stop[0][:LONGEST]} (see {stop[1]})"] if stop else []
    return "\n".join([*drawn, summary(config.machines, seconds, directory, kernels=kernels), *why])


def _report_what_there_is(machine, directory, *, config, kernels):
    """Make the timings, tables and pages that are missing because a stage failed. Print messages to standard error."""
    folder = directory / "results" / machine
    planned = max(folder.glob("plans/*.json"), key=lambda path: path.stat().st_mtime, default=None)

    def succeeds(*words):
        command = [sys.executable, "-m", "accelbench", *words, "--plan", planned.relative_to(directory)]
        return not subprocess.call(command, cwd=directory, env=with_package(os.environ), stdout=subprocess.DEVNULL)

    if planned is None or run_plan.read(planned).config != config:  # the run ended before it wrote its plan
        return
    for kernel in kernels:
        timings = folder / "timings" / f"{kernel}.jsonl"
        measured = any(folder.glob(f"journal/{kernel}.*jsonl")) and not timings.exists()
        if measured and succeeds("merge", kernel):
            os.utime(timings, (1, 1))
            # The timings exist now, so Snakemake would not measure their missing repetitions. Write the file `due`, an
            # input of the timings and of the repetitions, so that the next run measures these repetitions.
            journal.KernelJournal(folder, kernel).set_due(True)
    # Give tables and report an old modification time, so that the next run makes them again in any case.
    if any(folder.glob("timings/*.jsonl")) and succeeds("tables"):
        os.utime(folder / "tables" / "timings.parquet", (1, 1))
        if succeeds("report"):
            os.utime(directory / "reports" / machine / "index.html", (1, 1))
    if any(folder.glob("lectures/*/view.json")):
        succeeds("lecture", "page")


def summary(machines, seconds, directory=".", *, kernels=None):
    """Return the summary of a run as text.

    The summary lists the fastest cases, the pages, the outcomes of the run's `kernels`, the reasons for failures, the
    failed stages, and the duration.
    """
    lines = []
    for machine in machines:
        results, pages = Path(directory, "results", machine), Path(directory, "reports", machine).resolve()
        if (pages / "index.html").is_file() and any(results.glob("timings/*.jsonl")):
            page = f"Report:   {pages / 'index.html'}"
            try:
                fastest = _fastest(results, since=time.time() - seconds)
                lines += [*fastest, page, *_outcomes(results, kernels), *_not_shown(results, kernels)]
            except InputError as error:
                lines += [page, f"Outcomes: {error}"]
        lines += [
            f"{what} {pages / name}"
            for what, name in (("Lectures:", "lectures.html"), ("Slides:  ", "slides.md"))
            if (pages / name).is_file()
        ]
        lines += _failed(results, kernels)
    compared = Path(directory, "reports", "machines.html").resolve()
    if len(machines) > 1 and compared.is_file():
        lines.append(f"Compared: {compared}")
    minutes, seconds = divmod(round(seconds), 60)
    return "\n".join([*lines, f"Time:     {minutes} min {seconds} s" if minutes else f"Time:     {seconds} s"])


def stopped(config, kernels, directory, *, cores, targets):
    """Return the line that an interrupted run prints last. The line counts the cases that have a result.

    kernels  {name: EffectiveConfig} of the kernels whose cases are counted
    targets  Snakemake's targets; cases are counted only if the run makes the whole sweep
    """
    count = total = 0
    with contextlib.suppress(InputError):  # the next run reports the error
        for name in config.machines if set(targets) <= {"all"} else ():
            results = Path(directory, "results", name)
            machine = load.read_machine(results).limited_to(None if cores == "all" else int(cores))
            for kernel, sweep in kernels.items():
                cases = {case.id for case in plan.cases(sweep, machine) if case.verdict is None}
                total += len(cases)
                count += len(cases & {case for case, _ in journal.KernelJournal(results, kernel).read().cases})
    what = f"{count} of {total} cases are" if total else "What was measured is"
    return f"Stopped. {what} kept. The same command continues the run."


def _figure(path):
    """Return lines with the path of a figure and the sentences of its text file. Return [] if `path` is no figure."""
    words = path.with_suffix(".txt")
    if path.parent.name != "figures" or not path.is_file() or not words.is_file():
        return []
    _, *sentences = words.read_text(encoding="utf-8").splitlines()
    return [f"Figure:   {path.resolve()}", *(f"          {one_line(sentence)}" for sentence in sentences)]


def _fastest(results, since):
    """Return lines of text with the fastest case of each kernel that was measured after `since`.

    Each line shows its kernel at the usual size (`Answers.usual`), with the data in ordinary host memory. If a kernel
    has several dtypes or options, its line shows those with the largest usual size. A line for each exercise
    (implementation that a student writes) follows the line of its kernel, and compares the exercise with its solution.
    If a verdict is open, the last line names the remedy.

    since  time in seconds since the epoch
    """
    jobs = results.glob("repetitions/*/*.json")
    measured = {path.parent.name for path in jobs if path.stat().st_mtime >= since}
    if not measured:
        return []
    from accelbench.analysis import Analysis  # imported lazily to speed up the Snakefile, which imports this module
    from accelbench.decide import Answers, words
    from accelbench.figures import style

    rows = {}
    answers = Answers(Analysis(load.load_results(results)))
    usual = {family: answers.usual(family, "pageable") for family in answers.sizes}
    for family, answer in sorted(usual.items(), key=lambda pair: (pair[1].size, pair[0])):
        if answer.best:
            first = (
                answer.best,
                f"{style.ratio(words.speedup(answer, answer.best))} NumPy",
                "undecided" if answer.only_cpu else words.verdict(answer).partition(":")[0],
            )
            rows[family.kernel] = [
                (
                    family.kernel,
                    style.size(answer.size),
                    words.named(answer, best),
                    style.seconds(best.seconds),
                    *comparison,
                )
                for best, *comparison in (first, *_beside_solutions(answer))
            ]
    lines = [tuple(map(one_line, row)) for kernel in sorted(measured & rows.keys()) for row in rows[kernel]]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return [
        *("  ".join(map(str.ljust, line, widths)).rstrip() for line in lines),
        *["Open:     more repetitions may decide. Raise protocol.repetitions"]
        * any(row[-1].startswith("open") for row in lines),
    ]


def _beside_solutions(answer):
    """Yield (Best, speedup over its solution as text, verdict as text) for each exercise in an Answer."""
    from accelbench.analysis import choices, verdicts  # imported lazily, as in `_fastest`
    from accelbench.figures import style

    known = {verdicts.FASTER: "faster than", verdicts.SLOWER: "slower than", verdicts.SAME: "as fast as"}
    bests = {best.case.record.implementation: best for best in answer.ranking}
    for name, best in bests.items():
        solution = bests.get(name.removesuffix("_exercise"), best)
        if solution is not best:
            verdict = known.get(choices.compare(best, solution).verdict, "open against")
            gain = f"{style.ratio(solution.seconds / best.seconds)} {solution.case.record.implementation}"
            yield best, gain, f"{verdict} the solution"


def _outcomes(results, kernels):
    """Return lines on the kernels of this run: how often each outcome occurred, and the reasons for failures.

    If the folder has results of other kernels, the last line counts their cases.
    """
    records = load.load_records(results)
    selection = [record for record in records if kernels is None or record.kernel in kernels]
    needing = _backends_without_gpu(results)
    lacking = [r for r in selection if r.outcome == "unavailable" and r.backend in needing]
    counts = (
        Counter(r.outcome for r in selection) - Counter(r.outcome for r in lacking) + Counter({NEED_GPU: len(lacking)})
    )
    failed = [record for record in selection if record.outcome not in NO_FAILURES]
    reasons = Counter(f"{r.kernel}/{r.implementation}: {r.outcome}: {r.reason}" for r in failed)
    counted = ", ".join(f"{counts[name]} {name}" for name in (*OUTCOMES, NEED_GPU) if counts[name])
    lines = [f"Outcomes: {counted or 'none'}"]
    lines += [f"          {cases} of {one_line(reason)[:LONGEST]}" for reason, cases in reasons.most_common(REASONS)]
    if len(reasons) > REASONS:
        lines.append(f"          {len(reasons) - REASONS} more reasons: see Outcomes in the report")
    if reasons:
        lines.append("          Fix and run again, or use --retry to measure all failures again")
    if len(selection) < len(records):
        others = len({record.kernel for record in records} - {record.kernel for record in selection})
        total = f"{len(records) - len(selection)} cases of {others} other kernel{'s' if others > 1 else ''}"
        lines.append(f"Besides:  {total}, measured before, are in the report, too")
    return lines


def _backends_without_gpu(results):
    """Return the names of the backends that need a GPU. If the machine has a GPU, return an empty set.

    A backend needs a GPU if the attribute PINNED of its class Session is true, since only GPUs use page-locked memory.
    """
    if not (results / "machine.json").exists() or load.read_machine(results).has_gpu:
        return set()
    return {name for name, module in backends.modules().items() if module.Session.PINNED}


def _not_shown(results, kernels):
    """Return [a line that counts the measured cases that the report does not show], or [] if there are none.

    The report does not show cases of earlier runs that this configuration does not select.
    """
    kernels = [path for path in sorted(results.glob("kernels/*.json")) if kernels is None or path.stem in kernels]
    left_out = {path.stem: formats.read_metadata(path, load.again(results)).left_out for path in kernels}
    names = ", ".join(kernel for kernel, count in left_out.items() if count)
    total = f"{sum(left_out.values())} cases of {names}"
    return (
        [f"Left out: {total}, measured before. A run whose configuration selects them shows them again"]
        if names
        else []
    )


def _failed(results, kernels):
    """Return a line for each stage that failed, and a line on the remedy."""
    failed = [f for f in failures.of(results) if kernels is None or f.kernel is None or f.kernel in kernels]
    lines = [f"Failed:   {failure.what}: {failure.reason} (see {failure.log})" for failure in failed]
    return lines and [*lines, "          Run the same command again; what was measured is kept"]
