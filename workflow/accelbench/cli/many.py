"""Results of many machines, or of many runs of one: followed over time, compared on one page."""

import re
from pathlib import Path
from typing import Annotated

import typer

from accelbench.cli.app import app
from accelbench.cli.options import with_options
from accelbench.cli.results import check_output
from accelbench.errors import InputError


@app.command()
def history(
    folders: Annotated[
        list[Path], typer.Argument(metavar="FOLDER...", help="Results folders of one machine, or FOLDER@0.67.")
    ],
    by: Annotated[str | None, typer.Option(help="`plain` or `relative`, as in compare.")] = None,
    tolerate: Annotated[
        str, typer.Option(help="So many cases SLOWER in the newest run are no failure, or such a part: `3%`.")
    ] = "0",
    output: Annotated[Path, typer.Option(help="Folder for page and figures.", file_okay=False)] = Path(
        "reports/history"
    ),
):
    """Follow one machine over several runs, with `compare`'s verdicts; status 1 where the newest is SLOWER.

    The runs are ordered by when they were measured. Each case is compared with the run that it last changed in.

    \b
    Example:
        python -m accelbench history nightly/*/local
        python -m accelbench history results/local@0.67 results/local@0.68 --output versions
    """
    from accelbench import compare
    from accelbench.cli.results import contestant
    from accelbench.history import page, terminal, timeline
    from accelbench.lectures import contestants
    from accelbench.store.load import load_results

    if by not in (None, compare.PLAIN, compare.RELATIVE):
        raise InputError(
            "--by", f"{by!r} is not known", f"Write {compare.PLAIN} or {compare.RELATIVE}, or leave it out"
        )
    tolerated = tolerance(tolerate)
    resolved = [path.resolve() for path in folders]
    if twice := [path for path, own in zip(folders, resolved, strict=True) if resolved.count(own) > 1]:
        raise InputError(twice[0], "is named twice: it would be compared with itself", "Name each run's folder once")
    named = [contestant(path) for path in folders]
    if any(version for _, version in named):
        read = [contestants.read(folder).contestants(version, "each") for folder, version in named]
    else:
        read = [load_results(folder) for folder, _ in named]
    runs = [timeline.DatedRun(str(path), results) for path, results in zip(folders, read, strict=True)]
    found = timeline.follow(timeline.in_order(runs), by)
    typer.echo("\n".join([*terminal.lines(found), f"Page: {page.write(found, output)}"]))
    if not found.judged:
        remedy = "Runs must have measured the same cases on one instance of the machine, in two processes or more"
        raise InputError(found.runs[-1].name, "no case of it can be judged beside the runs before", remedy)
    raise typer.Exit(1 if len(found.slower) > tolerated(found.judged) else 0)


def tolerance(words):
    """A function giving how many of so many judged cases may be SLOWER, by `10` or `3%`; InputError for other words."""
    number = re.fullmatch(r"(\d+)|(\d+(?:\.\d+)?) ?%", words)
    if not number:
        problem = f"{words!r} is neither a number of cases nor a part of them"
        raise InputError("--tolerate", problem, "Write --tolerate 10, or --tolerate 3%")
    if number[2] and float(number[2]) >= 100:
        raise InputError("--tolerate", f"{words!r} are all cases", "Write a part of them, such as 3%")
    return lambda judged: int(number[1]) if number[1] else float(number[2]) / 100 * judged


@app.command()
@with_options("configfile", "settings")
def machines(
    given,
    folders: Annotated[list[Path], typer.Argument(metavar="FOLDER...", help="Results folders, measured or published.")],
    output: Annotated[Path, typer.Option(help="File to write.", dir_okay=False)] = Path("machines.html"),
):
    """Compare machines on one page, by where the data are, with energy and price.

    The configuration gives the price of an hour and the power of a machine under `machines`. `report` writes the same
    page for the machines in results/.

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
