"""Commands for the stages of a run. The rules of the workflow call these commands."""

import os
from typing import Annotated

import typer

from accelbench.cli.app import app, logger
from accelbench.cli.options import KernelName, with_options
from accelbench.errors import InputError

STAGE = ("machine", "results", "configfile", "plan")


@app.command("machine")
@with_options(*STAGE, "log")
def describe_machine(given):
    """Describe this computer: its processor, compilers and libraries, and every device that a backend finds.

    \b
    Example:
        python -m accelbench machine --results results
    """
    from accelbench.environments import placement
    from accelbench.machine import identity
    from accelbench.machine.description import describe
    from accelbench.measure import plan
    from accelbench.store import formats

    placement.check(given.config.places, given.where)
    identity.check(given.folder)
    described = describe(given.machine, given.config)
    unused = plan.check_devices(given.config, described.backends, given.where)
    formats.write(given.folder / "machine.json", described)
    if unused:
        typer.echo(f"note: {unused}", err=True)
        logger.warning(unused)


@app.command()
@with_options(*STAGE, "log")
def build(
    given,
    kernel: KernelName,
    toolchain: Annotated[
        str | None, typer.Argument(help="Name of the toolchain, such as cffi; by default all.")
    ] = None,
):
    """Build the native sources of a kernel's implementations.

    \b
    Example:
        python -m accelbench build vector_sum cffi
    """
    from accelbench import toolchains
    from accelbench.config import select
    from accelbench.measure import bench
    from accelbench.store.load import read_machine

    if toolchain is not None and toolchain not in toolchains.modules():
        raise InputError(toolchain, "no such toolchain", f"Known: {', '.join(toolchains.modules())}")
    config, home = select.effective(given.config, kernel, given.where), given.own_folder
    machine, others = read_machine(home), {}
    if bench.WHOLE in os.environ:
        others, _ = select.plan(given.config, given.where)
        others.pop(kernel, None)
    for name in [toolchain] if toolchain else toolchains.needed(config.kernel):
        users = [o.kernel for o in others.values() if name in toolchains.needed(o.kernel, o.implementations)]
        for manifest in bench.build(home, name, config.kernel, config=config.build, machine=machine, others=users):
            for artifact in manifest.artifacts:
                logger.info("%(outcome)s %(implementation)s %(source)s: %(command)s\n%(log)s", vars(artifact))
                if artifact.outcome != "ok":
                    typer.echo(
                        f"{manifest.kernel}/{artifact.implementation}: {artifact.source} was not built", err=True
                    )


@app.command()
@with_options(*STAGE, "cores", "log")
def measure(
    given,
    kernel: KernelName,
    repetition: Annotated[int | None, typer.Option(min=1, help="Measure only this repetition, counted from 1.")] = None,
):
    """Measure the cases of one kernel, except those with a valid result in the journals.

    The results folder must have machine.json and the builds of the kernel. Without --repetition, the
    command measures and merges all repetitions.

    \b
    Example:
        python -m accelbench measure vector_sum --configfile config/smoke.yaml
    """
    from accelbench.config import select
    from accelbench.measure import bench, coordinator, provenance
    from accelbench.store import formats

    if not given.planned:
        select.plan(given.config, given.where)
    provenance.note_configfiles(given.configfiles)
    config, home = select.effective(given.config, kernel, given.where), given.own_folder
    if repetition is not None and repetition > 1:
        from accelbench.cli.look import look_at  # imported lazily: most jobs write no page

        look_at(given, repetition - 1)
    if repetition is None:
        coordinator.measure(config, given.machine, home, cores=given.cores)
        return
    others = bench.waiting(given.config, home, kernel=kernel, number=repetition)
    for name, measuring in coordinator.measure_repetitions(
        [config, *others], given.machine, home, number=repetition, cores=given.cores
    ):
        ending = "" if name == kernel else os.environ[bench.WHOLE]
        for old in (home / "repetitions" / name).glob(f"{repetition}.json.*"):
            old.unlink()
        formats.write(home / "repetitions" / name / f"{repetition}.json{ending}", measuring)


@app.command()
@with_options(*STAGE, "cores", "log")
def merge(given, kernel: KernelName):
    """Merge the measured repetitions of one kernel into its timings.

    \b
    Example:
        python -m accelbench merge vector_sum --configfile config/smoke.yaml
    """
    from accelbench.config import select
    from accelbench.measure import coordinator

    config, home = select.effective(given.config, kernel, given.where), given.own_folder
    if not (home / "repetitions" / kernel).is_dir() and not any((home / "journal").glob(f"{kernel}.*")):
        raise InputError(
            home,
            f"has no repetition of {kernel}",
            f"Measure it: python -m accelbench run --kernel {kernel}",
        )
    coordinator.merge_repetitions(config, given.machine, home, cores=given.cores)


@app.command()
@with_options("machine", "results", "plan", "log")
def tables(given):
    """Make the tables of one machine from its timings.

    \b
    Example:
        python -m accelbench tables --machine local
    """
    from accelbench.analysis import Analysis
    from accelbench.export import tables
    from accelbench.store.load import load_results

    tables.write(Analysis(load_results(given.folder)), given.folder / "tables")


@app.command()
@with_options(*STAGE, "reports", "log")
def report(given):
    """Render the report of one machine with its figures, and the page that compares all machines.

    \b
    Example:
        python -m accelbench report --machine local
    """
    from accelbench import report
    from accelbench.analysis import Analysis
    from accelbench.report import machines
    from accelbench.store.load import load_results

    analysis = Analysis(load_results(given.folder))
    report.write(analysis, given.folder, given.reports / given.machine, config=given.config)
    machines.write_all(given.results, given.reports, costs=given.config.machines, known={given.machine: analysis})
