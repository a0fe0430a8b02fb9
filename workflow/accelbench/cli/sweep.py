"""Command `run`, which runs the whole workflow."""

from pathlib import Path
from typing import Annotated

import typer

from accelbench.cli.app import app
from accelbench.cli.options import with_options
from accelbench.errors import InputError


@app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
@with_options("configfile")
def run(
    given,
    context: typer.Context,
    cores: Annotated[str, typer.Option(help="Number of cores to use, or `all`.")] = "all",
    directory: Annotated[Path, typer.Option(help="Folder for results/ and reports/.", file_okay=False)] = Path(),
    kernel: Annotated[
        list[str] | None, typer.Option(help="Only this kernel; may be repeated.", metavar="KERNEL")
    ] = None,
    backend: Annotated[
        list[str] | None, typer.Option(help="Only this backend; may be repeated.", metavar="BACKEND")
    ] = None,
    size: Annotated[list[int] | None, typer.Option(help="Only this size; may be repeated.", metavar="SIZE")] = None,
    again: Annotated[
        list[str] | None,
        typer.Option(help="Measure again the cases whose names match; may be repeated.", metavar="PATTERN"),
    ] = None,
    no_wait: Annotated[
        bool, typer.Option("--no-wait", help="Fail if another process measures on this machine.")
    ] = False,
    retry: Annotated[bool, typer.Option("--retry", help="Measure failed cases again.")] = False,
):
    """Run the whole workflow: build, measure, and make tables and reports.

    One run at a time can use a folder. A run measures only cases without a valid result, and their baselines. If a case
    crashed, ran out of memory or ended with an error, the next run retries it once. Further arguments go to Snakemake.

    \b
    Example:
        python -m accelbench run --configfile config/smoke.yaml --cores 2
        python -m accelbench run --cores all -n
        python -m accelbench run --kernel vector_sum --backend cupy --size 100000000
        python -m accelbench run --again 'vector_sum/cffi_*'
    """
    from accelbench.cli import run
    from accelbench.machine import lock
    from accelbench.model.entry import Again

    if cores != "all" and not (cores.isdecimal() and int(cores) > 0):
        raise InputError("--cores", f"{cores!r} is not a number of cores", "Write a whole number > 0, or all")
    if no_wait:
        lock.refuse_to_wait()
    status = run.run(
        given.configfile or [],
        cores,
        directory=directory,
        extra=context.args,
        chosen=given.config.part(kernels=kernel, backends=backend, sizes=size),
        again=[Again(cases=pattern) for pattern in again or ()] + [Again(cases="*", failures=True)] * retry,
    )
    raise typer.Exit(status)
