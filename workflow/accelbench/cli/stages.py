"""The stages of a run, as the rules of the workflow call them."""

from pathlib import Path
from typing import Annotated

import typer

from accelbench.cli.app import (
    MACHINE_AGAIN,
    Configfile,
    Log,
    MachineName,
    Results,
    Settings,
    app,
    logger,
    machine_folder,
    open_log,
    own_folder,
    read_configuration,
)
from accelbench.errors import InputError


@app.command("machine")
def describe_machine(
    machine: MachineName = "local",
    results: Results = Path("results"),
    configfile: Configfile = None,
    settings: Settings = None,
    log: Log = None,
):
    """Describe this computer: processor, compilers, libraries, and every device each backend finds.

    \b
    Example:
        python -m accelbench machine --results results
    """
    from accelbench import machine as description
    from accelbench.measure import plan
    from accelbench.store import files

    open_log(log)
    config = read_configuration(configfile, settings)
    path = own_folder(results, machine) / "machine.json"
    described = description.describe(machine, config)
    notice = plan.check_devices(config, described["backends"], configfile or f"configuration of {machine}")
    files.write_json(path, described)
    if notice:
        typer.echo(f"note: {notice}", err=True)
        logger.warning(notice)


@app.command()
def build(
    kernel: Annotated[str, typer.Argument(help="Name of the kernel.")],
    toolchain: Annotated[str | None, typer.Argument(help="Its name, such as cffi; else all.")] = None,
    machine: MachineName = "local",
    results: Results = Path("results"),
    configfile: Configfile = None,
    settings: Settings = None,
    log: Log = None,
):
    """Build what a kernel's implementations need, as their SOURCES, FLAGS and VARIANTS say.

    \b
    Example:
        python -m accelbench build vector_sum cffi
    """
    from accelbench import backends, toolchains
    from accelbench.config import select
    from accelbench.store import files, formats

    open_log(log)
    if toolchain is not None and toolchain not in toolchains.modules():
        raise InputError(toolchain, "no such toolchain", f"One of {', '.join(toolchains.modules())}")
    config = select.effective(read_configuration(configfile, settings), kernel)
    home = own_folder(results, machine)
    described = formats.read(formats.Machine, home / "machine.json", MACHINE_AGAIN)["backends"]
    for name in [toolchain] if toolchain else toolchains.needed(config.kernel):
        served = [backend for backend in backends.modules() if backends.toolchain(backend) == name]
        devices = [device for backend in served for device in described.get(backend, {}).get("devices", ())]
        manifest = toolchains.build(config.kernel, name, config.build, devices, home / "build" / kernel)
        files.write_json(home / "build" / kernel / f"{name}.json", manifest)
        for artifact in manifest["artifacts"]:
            logger.info("%(outcome)s %(implementation)s %(source)s: %(command)s\n%(log)s", artifact)
            if artifact["outcome"] != "ok":
                typer.echo(f"{kernel}/{artifact['implementation']}: {artifact['source']} was not built", err=True)


@app.command()
def measure(
    kernel: Annotated[str, typer.Argument(help="Name of the kernel.")],
    machine: MachineName = "local",
    results: Results = Path("results"),
    cores: Annotated[int | None, typer.Option(help="Cores to use; all where not given.", min=1)] = None,
    configfile: Configfile = None,
    settings: Settings = None,
    log: Log = None,
):
    """Measure one kernel; what the journal holds and is still valid is not measured again.

    Wants the machine's description and the kernel's builds in the results folder.

    \b
    Example:
        python -m accelbench measure vector_sum --configfile config/smoke.yaml
    """
    from accelbench import project
    from accelbench.config import select
    from accelbench.measure import measure

    open_log(log)
    config = read_configuration(configfile, settings)
    if settings is None:
        select.plan(config, configfile or project.DEFAULT_CONFIG)
    measure(select.effective(config, kernel), machine, own_folder(results, machine), cores)


@app.command()
def tables(machine: MachineName = "local", results: Results = Path("results"), log: Log = None):
    """Make the tables of one machine from its timings.

    \b
    Example:
        python -m accelbench tables --machine local
    """
    from accelbench.analysis import Analysis
    from accelbench.export import tables
    from accelbench.store.load import load_results

    open_log(log)
    folder = machine_folder(results, machine)
    tables.write(Analysis(load_results(folder)), folder / "tables")


@app.command()
def report(
    machine: MachineName = "local",
    results: Results = Path("results"),
    reports: Annotated[Path, typer.Option(help="Folder of the reports of all machines.", file_okay=False)] = Path(
        "reports"
    ),
    configfile: Configfile = None,
    settings: Settings = None,
    log: Log = None,
):
    """Render the report of one machine, with figures for slides, from its timings, and the page that leads to all.

    \b
    Example:
        python -m accelbench report --machine local
    """
    from accelbench import report
    from accelbench.analysis import Analysis
    from accelbench.report import machines
    from accelbench.store.load import load_results

    open_log(log)
    folder = machine_folder(results, machine)
    analysis = Analysis(load_results(folder))
    report.write(analysis, folder, reports / machine, read_configuration(configfile, settings))
    machines.write(results, reports, {machine: analysis})
