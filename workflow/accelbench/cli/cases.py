"""One case, and the profiles of implementations."""

from pathlib import Path
from typing import Annotated

import typer

from accelbench.cli.app import (
    Configfile,
    Log,
    MachineName,
    Results,
    Settings,
    app,
    open_log,
    own_folder,
    read_configuration,
)


@app.command()
def case(
    case_id: Annotated[str, typer.Argument(metavar="ID", help="Name of the case, as log and report print it.")],
    configfile: Configfile = None,
    settings: Settings = None,
):
    """Run one case again, telling everything about it. Nothing measured before is touched.

    \b
    Example:
        python -m accelbench case vector_sum/cffi_api/float64/1000/cpu/threads=1
    """
    from accelbench.config import select
    from accelbench.measure import case

    config = select.effective(read_configuration(configfile, settings), case_id.partition("/")[0])
    raise typer.Exit(0 if case(case_id, config) else 1)


@app.command()
def profile(
    kernel: Annotated[str, typer.Argument(help="Name of the kernel.")],
    implementations: Annotated[
        list[str] | None,
        typer.Argument(metavar="[IMPLEMENTATION]...", help="Those of Python and Cython if none named."),
    ] = None,
    size: Annotated[
        int | None, typer.Option(help="Size of the problem instead of the kernel's smallest default.", min=0)
    ] = None,
    machine: MachineName = "local",
    results: Results = Path("results"),
    configfile: Configfile = None,
    settings: Settings = None,
    log: Log = None,
):
    """Profile implementations that Python takes part in: tables of calls and flame graphs, in results/MACHINE/profile/.

    Wants the machine's description in the results folder, and gathers in annotations/ beside profile/ what `cython -a`
    says of every build there.

    \b
    Example:
        python -m accelbench profile inside_polygon python_tuples python_numpy_scalars
    """
    from accelbench.config import select
    from accelbench.measure import profiling

    open_log(log)
    config = select.effective(read_configuration(configfile, settings), kernel)
    home = own_folder(results, machine)
    profiling.profile(config, machine, home, implementations or (), size)
    profiling.gather_annotations(home)
    typer.echo(f"wrote {home / 'profile' / kernel}")
