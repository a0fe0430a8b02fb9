"""Results of many machines, or of many runs of one: asked, followed over time, laid side by side, collected."""

from pathlib import Path
from typing import Annotated

import typer

from accelbench.cli.app import app
from accelbench.cli.options import with_options
from accelbench.cli.results import check_output
from accelbench.errors import InputError

Folders = Annotated[
    list[Path] | None,
    typer.Argument(metavar="[FOLDER]...", help="Results folders, of machines or published; all where none is named."),
]


def all_folders(given):
    """Every results folder of the project: of its machines, and the published ones."""
    places = [*given.results.glob("*/machine.json"), *given.reports.glob("examples/*/machine.json")]
    return sorted(path.parent for path in places)


@app.command()
@with_options("results", "reports")
def query(
    given,
    sql: Annotated[str | None, typer.Argument(metavar="SQL", help="One SELECT; views and columns without.")] = None,
    folders: Folders = None,
    form: Annotated[str, typer.Option("--format", help="table, csv or markdown.", metavar="FORMAT")] = "table",
    output: Annotated[Path | None, typer.Option(help="File instead of standard output.", dir_okay=False)] = None,
):
    """Ask all results of the project a question in SQL, by DuckDB; nothing is ever written to them.

    \b
    Example:
        python -m accelbench query
        python -m accelbench query "SELECT machine, min(compute_s) FROM cases WHERE kernel = 'vector_sum' GROUP BY ALL"
        python -m accelbench query "SELECT * FROM machines" results/local reports/examples/h200 --format markdown
    """
    from accelbench.query import engine, shown, views
    from accelbench.store import files

    if form not in shown.FORMATS:
        raise InputError("--format", f"{form!r} is no format", f"One of {', '.join(shown.FORMATS)}")
    if sql is None:
        for name, row in views.find().items():
            typer.echo(f"{name}: {', '.join(views.columns(row))}")
        return
    folders = folders or all_folders(given)
    check_output(output, *folders)
    text = shown.write(engine.answer(sql, folders), form)
    if output:
        files.write(output, text)
    else:
        typer.echo(text, nl=False)
