"""Results: published, gone on with, compared, exported, bundled and verified."""

import json
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
    target: Annotated[Path, typer.Argument(help="Folder to write; its name becomes the machine's.", file_okay=False)],
):
    """Write one machine's results, compressed, its report and slides into a folder fit to be committed or sent.

    \b
    Example:
        python -m accelbench publish reports/examples/laptop --machine local
    """
    from accelbench.archive import publishing

    typer.echo(publishing.publish(given.folder, target.resolve().name, target, slides=True))


@app.command()
@with_options("machine", "results")
def resume(
    given,
    published: Annotated[
        Path, typer.Argument(metavar="PUBLISHED", help="A folder that `publish` wrote.", exists=True, file_okay=False)
    ],
):
    """Take up a published folder, so that the next run on an equal machine measures only what it lacks.

    \b
    Example:
        python -m accelbench resume reports/examples/laptop --machine laptop
    """
    from accelbench.archive import publishing

    publishing.resume(published, given.folder)
    machines = f"machines: {{{given.machine}: {{}}}}"
    typer.echo(f"{given.folder} goes on from {published}: run the workflow with `{machines}`")


def check_output(path, *folders):
    """InputError where writing to `path` would destroy a result file of one of the results folders `folders`."""
    for folder in folders:
        kept = [folder / "machine.json", *folder.glob("timings/*"), *folder.glob("kernels/*")]
        if path and path.resolve() in [file.resolve() for file in kept]:
            raise InputError(path, f"is a result file of {folder}", "Name another file to write")


def contestant(path):
    """(results folder, version) of FOLDER or FOLDER@VERSION, the version being "" without; InputError where that folder
    has no environment of that version."""
    folder, at, version = str(path).rpartition("@")
    if path.exists() or not at:
        return path, ""
    from accelbench.store.load import check_folder, read_machine

    check_folder(folder)
    known = sorted({name.partition("@")[2] for name in read_machine(folder).environments} - {""})
    if version not in known:
        problem = f"has no contestant of the version {version!r}"
        raise InputError(
            folder, problem, f"It has: {', '.join(known) or 'none'}; config/README.md explains environments"
        )
    return Path(folder), version


def both(first, second):
    """The Results of two (folder, version): of contestants alone, under names they share, where there is a version."""
    from accelbench.lectures import contestants
    from accelbench.store.load import load_results

    folders, versions = zip(first, second, strict=True)
    if not any(versions):
        return [load_results(folder) for folder in folders]
    label = "-".join(version or "own" for version in versions)
    own = [contestants.read(folder) for folder in dict.fromkeys(folders)]
    return [results.contestants(version, label) for results, version in zip(own[:1] + own[-1:], versions, strict=True)]


def check_contestants(first, second, runs):
    """InputError where two (folder, version), of which one has a version, have no case of contestants in common."""
    if (first[1] or second[1]) and not any("@" in pair.first.record.implementation for pair in runs.pairs):
        versions = " and ".join(version or "accelbench's own Python" for _, version in (first, second))
        raise InputError(
            " and ".join(dict.fromkeys(str(folder) for folder, _ in (first, second))),
            f"no case was measured in both {versions}, baselines apart",
            "Name both under `environments` in the configuration, and run: python -m accelbench run, or make lecture",
        )


@app.command()
def compare(
    first: Annotated[
        Path,
        typer.Argument(
            metavar="A", help="A results folder, of a machine or published; FOLDER@0.67: one contestant of it."
        ),
    ],
    second: Annotated[Path, typer.Argument(metavar="B", help="Another.")],
    by: Annotated[
        str | None,
        typer.Option(help="`plain` times, or `relative` to the baseline beside them; else what suits the machines."),
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Show every case, not just those FASTER or SLOWER.")] = False,
    csv: Annotated[Path | None, typer.Option(help="File for a table of all cases.", dir_okay=False)] = None,
    html: Annotated[Path | None, typer.Option(help="File for a page with pictures.", dir_okay=False)] = None,
    fail_on: Annotated[
        str | None, typer.Option(help="Exit with status 1 where a case is `slower` in B.", metavar="slower")
    ] = None,
):
    """Compare two runs case by case: FASTER, SLOWER, SAME or AMBIGUOUS, with ratios and 95 % intervals.

    \b
    Example:
        python -m accelbench compare reports/examples/cpu results/local
        python -m accelbench compare before/local after/local --html compared.html --fail-on slower
        python -m accelbench compare results/local@0.67 results/local@0.68
    """
    from accelbench import compare
    from accelbench.compare import terminal

    for option, value, known in (("--by", by, (compare.PLAIN, compare.RELATIVE)), ("--fail-on", fail_on, ("slower",))):
        if value not in (None, *known):
            raise InputError(option, f"{value!r} is not known", f"Write {' or '.join(known)}, or leave it out")
    if csv and html and csv.resolve() == html.resolve():
        raise InputError(html, "cannot be both the table and the page", "Name two files")
    named = contestant(first), contestant(second)
    for path in (csv, html):
        check_output(path, *(folder for folder, _ in named))
    runs = compare.compare(*both(*named), names=(str(first), str(second)), by=by)
    check_contestants(*named, runs)
    _write_compared(runs, csv, html)
    terminal.show(runs, every)
    verdicts = {pair.compared.verdict for pair in runs.pairs} - {None}
    if fail_on and not verdicts and not runs.is_one:
        problem = "no case of it can be judged beside the other run"
        raise InputError(second, problem, "Both must have measured the same cases in two processes or more")
    raise typer.Exit(1 if fail_on and "SLOWER" in verdicts else 0)


def _write_compared(runs, csv, html):
    """Write the table and the page of two compared runs, each where it was asked for."""
    from accelbench.compare import table
    from accelbench.store import files

    if html:
        from accelbench.compare import page  # only here: its figures take longer to import than runs to compare

        files.write(html, page.render(runs))
    if csv:
        files.write(csv, table(runs).to_csv(index=False))


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
    held, there = export.export(folder, form, output)
    if held < there:
        typer.echo(f"{there - held} of {there} cases are left out: they have nothing that {form} can hold", err=True)


@app.command()
def bundle(
    folder: ResultsFolder,
    output: Annotated[Path | None, typer.Option(help="File instead of MACHINE.zip here.")] = None,
    author: Annotated[
        list[str] | None,
        typer.Option(help="Whose they are: NAME, or `NAME <https://orcid.org/...>`; repeatable."),
    ] = None,
):
    """Pack results, configuration, sources, locks and machine description into one file, with sums and metadata.

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


@app.command()
def verify(file: Annotated[Path, typer.Argument(help="A bundle, as `bundle` writes it.")]):
    """Check a bundle: name every file in it that differs, is missing or is extra.

    \b
    Example:
        python -m accelbench verify results.zip
    """
    from accelbench.archive import bundle

    if file.is_dir():
        raise InputError(file, "is a folder", "Name the .zip file of a bundle")
    problems = bundle.verify(file)
    for problem in problems:
        typer.echo(problem, err=True)
    typer.echo(f"{file}: {len(problems)} files are not as they were" if problems else f"{file}: as it was made")
    raise typer.Exit(1 if problems else 0)


@app.command()
def schema():
    """Print the JSON Schema of a result record.

    \b
    Example:
        python -m accelbench schema > workflow/accelbench/model/record.schema.json
    """
    from accelbench.model.record import Record

    typer.echo(json.dumps(Record.model_json_schema(), indent=2))
