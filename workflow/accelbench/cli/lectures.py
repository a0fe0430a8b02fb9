"""The figures of the lectures."""

from pathlib import Path
from typing import Annotated

import typer

from accelbench.cli.app import (
    Commands,
    Configfile,
    Log,
    MachineName,
    Results,
    Settings,
    app,
    machine_folder,
    open_log,
    own_folder,
    read_configuration,
)
from accelbench.errors import InputError

lecture = typer.Typer(
    cls=Commands, no_args_is_help=True, help="The figures of the lectures, as config/figures.yaml declares them."
)
app.add_typer(lecture, name="lecture")
Figure = Annotated[str, typer.Argument(help="Id of the figure in config/figures.yaml.")]
Reports = Annotated[Path, typer.Option(help="Folder of the reports of all machines.", file_okay=False)]


def read_lecture_configuration(configfile, settings):
    """The Config in a file or in JSON, that of the lectures where neither is given."""
    from accelbench.lectures import needs

    return needs.read_configuration() if configfile is settings is None else read_configuration(configfile, settings)


@lecture.command("check")
def check_figures(configfile: Configfile = None):
    """Look whether every kernel, implementation, dtype and option that the figures name is there.

    \b
    Example:
        python -m accelbench lecture check
    """
    from accelbench.lectures import entries, needs

    figures = entries.read()
    needs.check(figures.values(), read_lecture_configuration(configfile, None))
    typer.echo(f"{len(figures)} figures: every name is there")


@lecture.command("measure")
def measure_figure(
    figure: Figure,
    machine: MachineName = "local",
    results: Results = Path("results"),
    cores: Annotated[int | None, typer.Option(help="Cores to use; all where not given.", min=1)] = None,
    configfile: Configfile = None,
    settings: Settings = None,
    log: Log = None,
):
    """Measure what one figure needs; what the journals hold and is still valid is not measured again.

    Wants the machine's description and the builds of the figure's kernels in the results folder.

    \b
    Example:
        python -m accelbench lecture measure esrf-speedups
    """
    from accelbench.lectures import entries, measuring

    open_log(log)
    config = read_lecture_configuration(configfile, settings)
    home, entry = own_folder(results, machine), entries.find(figure)
    place = f"figure {list(entries.read()).index(figure) + 1} of {len(entries.read())}"
    measuring.run(entry, config, machine, home, cores=cores, tell=lambda line: typer.echo(f"{place}, {line}", err=True))


@lecture.command("draw")
def draw_figure(
    figure: Figure,
    machine: MachineName = "local",
    results: Results = Path("results"),
    reports: Reports = Path("reports"),
    log: Log = None,
):
    """Draw one figure as SVG, PDF and PNG from what was measured for it.

    \b
    Example:
        python -m accelbench lecture draw esrf-speedups
    """
    from accelbench.lectures import entries, writing

    open_log(log)
    writing.write_figure(entries.find(figure), machine_folder(results, machine), reports / machine)


@lecture.command("page")
def lecture_page(
    machine: MachineName = "local",
    results: Results = Path("results"),
    reports: Reports = Path("reports"),
    log: Log = None,
):
    """Put the figures that were drawn together into lectures.html; it names those that were not.

    \b
    Example:
        python -m accelbench lecture page
    """
    from accelbench.lectures import entries, writing

    open_log(log)
    home = machine_folder(results, machine)
    declared = list(entries.read().values())
    drawn = [entry for entry in declared if writing.drawn_file(home, entry).exists()]
    absent = [entry for entry in declared if entry not in drawn]
    if not drawn:
        remedy = "Draw one: snakemake --cores all reports/local/figures/ID.svg; or all: make lecture"
        raise InputError(home / "lectures", "holds no figure that was drawn", remedy)
    typer.echo(writing.write_page(home, reports / machine, drawn, absent))
