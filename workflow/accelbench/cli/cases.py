"""Commands that examine a case or implementations in detail: case, profile."""

from typing import Annotated

import typer

from accelbench.cli.app import app
from accelbench.cli.options import KernelName, with_options


@app.command()
@with_options("configfile")
def case(
    given,
    case_id: Annotated[str, typer.Argument(metavar="ID", help="Name of the case, as in the log and the report.")],
    code: Annotated[bool, typer.Option("--code", help="Show the case's assembly or PTX, and measure nothing.")] = False,
):
    """Run one case again, and print all data of this case. Earlier results do not change.

    The configuration determines how the case is built and run. The configuration need not select the case.

    \b
    Example:
        python -m accelbench case vector_sum/cffi_api/float64/1000/cpu/threads=1
        python -m accelbench case --code vector_sum/numba_njit/float64/1000/cpu/threads=1
    """
    from accelbench.config import select
    from accelbench.measure import case

    config = select.effective(given.config, case_id.partition("/")[0], given.where)
    raise typer.Exit(0 if case(case_id, config, code=code) else 1)


@app.command()
@with_options("machine", "results", "configfile", "plan", "log")
def profile(
    given,
    kernel: KernelName,
    implementations: Annotated[
        list[str] | None,
        typer.Argument(metavar="[IMPLEMENTATION]...", help="By default all in Python, NumPy and Cython."),
    ] = None,
    size: Annotated[
        int | None, typer.Option(help="Size of the problem instead of the kernel's smallest default.", min=0)
    ] = None,
):
    """Profile implementations in Python, NumPy or Cython, and print the functions that take most time.

    The command writes the times of all functions to results/MACHINE/profile/. The folder results/MACHINE must have the
    file machine.json.

    \b
    Example:
        python -m accelbench profile inside_polygon python_tuples python_numpy_scalars
    """
    from accelbench.config import select
    from accelbench.measure import profiling

    config, home = select.effective(given.config, kernel, given.where), given.own_folder
    for code_profile in profiling.profile(config, given.machine, home, names=implementations or (), size=size):
        typer.echo(code_profile.table())
    typer.echo(f"wrote {home / 'profile' / kernel}")
