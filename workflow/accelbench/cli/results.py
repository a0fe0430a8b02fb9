"""Commands on results: publish, compare, machines, export, bundle."""

import re
from pathlib import Path
from typing import Annotated

import typer

from accelbench.cli.app import app
from accelbench.cli.options import ResultsFolder, with_options
from accelbench.errors import InputError
from accelbench.export import FORMATS


@app.command()
@with_options("machine", "results")
def publish(
    given,
    target: Annotated[
        Path, typer.Argument(help="Folder to write; its name becomes the name of the machine.", file_okay=False)
    ],
):
    """Write one machine's compressed results and its report into a folder, to commit or to send.

    \b
    Example:
        python -m accelbench publish reports/examples/laptop --machine local
    """
    from accelbench.archive import publishing

    typer.echo(publishing.publish(given.folder, target.resolve().name, target))


def check_output(path, *folders):
    """Raise InputError if `path` is machine.json or a file in timings/ or kernels/ of one of the results folders."""
    for folder in folders:
        result_files = [folder / "machine.json", *folder.glob("timings/*"), *folder.glob("kernels/*")]
        if path and path.resolve() in [file.resolve() for file in result_files]:
            raise InputError(path, f"is a result file of {folder}", "Name another file to write")


def contestant(path):
    """Return (results folder, version) for a path FOLDER@VERSION, and (folder, "") for a path without a version.

    The version names a contestant, an environment with this version of a library or Python. Raise InputError if the
    folder's results have no such environment.
    """
    folder, at, version = str(path).rpartition("@")
    if path.exists() or not at:
        return path, ""
    from accelbench.store.load import check_folder, read_machine

    check_folder(folder)
    known = sorted({name.partition("@")[2] for name in read_machine(folder).environments} - {""})
    if version not in known:
        raise InputError(
            folder,
            f"has no contestant of the version {version!r}",
            f"It has: {', '.join(known) or 'none'}; config/README.md explains environments",
        )
    return Path(folder), version


def read_runs(named):
    """Return the Results of (folder, version) pairs.

    If any pair has a version, each Results contains only baselines and implementations measured with the pair's
    version. An empty version stands for accelbench's own Python. An implementation has the same name in all Results.
    """
    from accelbench.lectures import measured
    from accelbench.store.load import load_results

    if not any(version for _, version in named):
        return [load_results(folder) for folder, _ in named]
    label = "-".join(version or "own" for _, version in named)
    return [measured.contestants(folder).contestants(version, label) for folder, version in named]


def check_contestants(named, pairs):
    """Raise InputError if `named` has a version, but none of `pairs` compares contestants (versions of a library).

    named  list of (folder, version)
    """
    folders, versions = zip(*named, strict=True)
    if any(versions) and not any("@" in pair.first.record.implementation for pair in pairs):
        raise InputError(
            " and ".join(dict.fromkeys(map(str, folders))),
            f"no case was measured in {'both ' if len(named) == 2 else ''}"
            + " and ".join(version or "accelbench's own Python" for version in versions)
            + ", apart from baselines",
            "Name their environments in the configuration, and run: python -m accelbench run, or make lecture",
        )


def tolerance(words):
    """Return a function that computes, from the number of cases with a verdict, how many cases may be SLOWER.

    words  text of --tolerate: a number of cases such as `10`, or a share of the cases such as `3%`

    Raise InputError for any other text.
    """
    number = re.fullmatch(r"(\d+)|(\d+(?:\.\d+)?) ?%", words)
    if not number:
        raise InputError(
            "--tolerate",
            f"{words!r} is neither a number of cases nor a percentage",
            "Write --tolerate 10, or --tolerate 3%",
        )
    if number[2] and float(number[2]) >= 100:
        raise InputError("--tolerate", f"{words!r} allows all cases to be slower", "Write less than 100%, such as 3%")
    return lambda judged: int(number[1]) if number[1] else float(number[2]) / 100 * judged


@app.command()
def compare(
    folders: Annotated[
        list[Path],
        typer.Argument(metavar="RUN RUN...", help="Results folders, oldest first; FOLDER@0.67 for one contestant."),
    ],
    by: Annotated[
        str | None,
        typer.Option(help="Compare `plain` times, or times `relative` to baselines. Default: depends on the runs."),
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Show every case, not just those FASTER or SLOWER.")] = False,
    csv: Annotated[Path | None, typer.Option(help="File for a table of all cases.", dir_okay=False)] = None,
    html: Annotated[Path | None, typer.Option(help="File for a page with pictures.", dir_okay=False)] = None,
    fail_on: Annotated[
        str | None, typer.Option(help="Exit with status 1 if cases are `slower` in the last run.", metavar="slower")
    ] = None,
    tolerate: Annotated[
        str, typer.Option(help="Number or share of the cases that may be SLOWER with --fail-on: 10, 3%.")
    ] = "0",
):
    """Compare runs case by case: FASTER, SLOWER, SAME or AMBIGUOUS, with ratios and 95 % intervals.

    Name three or more runs of one machine, oldest first, to see in which run each case changed. The output then
    begins with a comparison of the first run with the last run. --csv writes this comparison.

    \b
    Example:
        python -m accelbench compare reports/examples/cpu results/local
        python -m accelbench compare before/local after/local --html compared.html --fail-on slower
        python -m accelbench compare nightly/*/local --fail-on slower --tolerate 3%
        python -m accelbench compare results/local@0.67 results/local@0.68
    """
    from accelbench.compare import terminal, trend

    _check_options(folders, by=by, fail_on=fail_on, csv=csv, html=html)
    tolerated, named = tolerance(tolerate), [contestant(path) for path in folders]
    for path in (csv, html):
        check_output(path, *(folder for folder, _ in named))
    history = trend.follow(read_runs(named), list(map(str, folders)), by)
    check_contestants(named, history.comparisons[-1].pairs)
    _write_compared(history, csv, html)
    terminal.show(history.comparisons[-1], every)
    if len(folders) > 2:
        terminal.show_trend(history)
    if fail_on and not history.judged and not history.comparisons[-1].is_one:
        raise InputError(
            folders[-1],
            "no case of this run can be compared with the earlier runs",
            "Compare runs of one machine that measured the same cases in two processes or more",
        )
    raise typer.Exit(1 if fail_on and len(history.slower) > tolerated(history.judged) else 0)


def _check_options(folders, *, by, fail_on, csv, html):
    """Raise InputError if there is only one run, an option has an unknown value, or table and page are one file."""
    from accelbench import compare

    if len(folders) < 2:
        raise InputError(folders[0], "is only one run", "Name another run to compare it with")
    for option, value, known in (("--by", by, (compare.PLAIN, compare.RELATIVE)), ("--fail-on", fail_on, ("slower",))):
        if value not in (None, *known):
            raise InputError(option, f"{value!r} is not known", f"Write {' or '.join(known)}, or leave it out")
    if csv and html and csv.resolve() == html.resolve():
        raise InputError(html, "cannot be both the table and the page", "Name two files")


def _write_compared(history, csv, html):
    """Write a table of the first and last run of `history`, a Trend, to the file `csv`, and a page to the file `html`.

    Skip a file whose path is None.
    """
    from accelbench.compare import table
    from accelbench.store import files

    runs = history.comparisons[-1]
    if html:
        from accelbench.compare import page  # imported lazily: importing figures takes longer than comparing

        files.write(html, page.render(runs, history if len(history.comparisons) > 1 else None))
    if csv:
        files.write(csv, table(runs).to_csv(index=False))


@app.command()
@with_options("configfile")
def machines(
    given,
    folders: Annotated[list[Path], typer.Argument(metavar="FOLDER...", help="Results folders, measured or published.")],
    output: Annotated[Path, typer.Option(help="File to write.", dir_okay=False)] = Path("machines.html"),
):
    """Compare machines on one page: times for each place of the data, energy and price.

    The configuration gives the price of an hour and the power of a machine under `machines`. The command `report`
    writes the same page for the machines in results/ that have a report.

    \b
    Example:
        python -m accelbench machines results/local reports/examples/h200
        python -m accelbench machines reports/examples/*/ --output reports/examples/machines.html
    """
    from accelbench.report import machines as page
    from accelbench.store import files

    check_output(output, *folders)
    compared = page.load(folders, given.config.machines, output)
    names = [machine.name for machine in compared]
    costs = {name for name, machine in given.config.machines.items() if machine.price_per_hour or machine.power_w}
    for name in sorted(costs.difference(names)):
        typer.echo(f"note: machines.{name} is not among {', '.join(names)}", err=True)
    files.write(output, page.render(compared))
    typer.echo(output)


@app.command()
def export(
    folder: ResultsFolder,
    form: Annotated[
        str,
        typer.Option("--format", help=f"One of {', '.join(FORMATS)}.", metavar="FORMAT"),
    ],
    output: Annotated[Path | None, typer.Option(help="File instead of standard output.", dir_okay=False)] = None,
):
    """Write one machine's results in a format that other tools read.

    \b
    Example:
        python -m accelbench export results/local --format pyperf --output local.json
        python -m accelbench export results/local --format csv
    """
    from accelbench import export

    check_output(output, folder)
    count, there = export.export(folder, form, output)
    if count < there:
        typer.echo(f"{there - count} of {there} cases are left out: the format {form} cannot store them", err=True)


@app.command()
def bundle(
    folder: ResultsFolder,
    output: Annotated[
        Path | None, typer.Option(help="File to write; by default MACHINE.zip in the current folder.")
    ] = None,
    author: Annotated[
        list[str] | None,
        typer.Option(help="Author: NAME, or `NAME <https://orcid.org/...>`; may be repeated."),
    ] = None,
):
    """Pack results, configuration, sources, locks and machine description into a zip file with checksums and metadata.

    \b
    Example:
        python -m accelbench bundle results/local --output results.zip --author "Jane Doe"
    """
    from accelbench.archive import bundle

    check_output(output, folder)
    written = bundle.bundle(folder, output, author or ())
    for note in written.notes:
        typer.echo(f"note: {note}", err=True)
    typer.echo(f"wrote {written.path}, {written.count} files")
