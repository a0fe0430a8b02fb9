"""The command line. Each command imports what it needs itself, so that help and `list` answer at once."""

import errno
import json
import logging
import os
import platform
import select
import signal
import threading
from pathlib import Path
from typing import Annotated

import typer
from typer.core import TyperCommand, TyperGroup

from accelbench.errors import InputError
from accelbench.export import FORMATS
from accelbench.store.failures import FINISHED

# What the operating system refuses for a reason a person can remove, and how.
REFUSALS = {
    errno.ENOSPC: "Free some space and run again: what was measured is kept",
    errno.EDQUOT: "Free some of your quota and run again: what was measured is kept",
    errno.EROFS: "Choose a folder that can be written",
    errno.EACCES: "Choose a folder you may write, or correct its permissions",
    errno.EPERM: "Choose a folder you may write, or correct its permissions",
    errno.EFBIG: "Raise the limit on the size of files and run again: what was measured is kept",
    errno.EEXIST: "A folder is needed there: move what is in its place away",
    errno.ENOTDIR: "A folder is needed there: move what is in its place away",
    errno.EISDIR: "A file is needed there: move the folder away",
    errno.ENAMETOOLONG: "Choose a shorter name",
    errno.EIO: "The disk or its connection fails: what was measured before is kept",
    errno.EMFILE: "Raise the limit on open files (ulimit -n) and run again: what was measured is kept",
}

LONGEST = 200  # characters of what --help says of a command
MACHINE_AGAIN = "Delete it and run again, or: python -m accelbench machine"

logger = logging.getLogger("accelbench")
logger.addHandler(logging.NullHandler())


class Commands(TyperGroup):
    """Turns what people can put right into one message and exit status 2; anything else is a bug and shows itself."""

    def invoke(self, ctx):
        try:
            result = super().invoke(ctx)
            logger.info(FINISHED)
            return result
        except InputError as error:
            self._refuse(str(error), error)
        except OSError as error:
            if error.errno not in REFUSALS:
                logger.exception("internal error")
                raise
            self._refuse(f"{error.filename or 'results'}: {error.strerror}. {REFUSALS[error.errno]}", error)
        except KeyboardInterrupt as error:
            typer.echo("interrupted: what was measured is kept", err=True)
            logger.error("interrupted")
            raise typer.Exit(130) from error
        except Exception as error:
            if not type(error).__module__.startswith(("click", "typer")):
                logger.exception("internal error")
            raise

    def format_commands(self, ctx, formatter):
        """Each with its whole first sentence, where Click would cut it."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, c.get_short_help_str(LONGEST)) for name, c in self.commands.items()])

    @staticmethod
    def _refuse(message, error):
        typer.echo(f"error: {message}", err=True)
        logger.error(message)
        raise typer.Exit(2) from error


class Run(TyperCommand):
    """`run`, whose --again means every case where no pattern follows."""

    def parse_args(self, ctx, args):
        complete = []
        for word, following in zip(args, [*args[1:], "-"], strict=True):
            complete += [word, "*"] if word == "--again" and following.startswith("-") else [word]
        return super().parse_args(ctx, complete)


app = typer.Typer(
    cls=Commands,
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help="Measures honestly which way of accelerating a Python computation is fastest on this machine.",
    epilog="Most people need only `run`; the rules of the workflow call machine, build, measure, tables and report.",
)

Configfile = Annotated[Path | None, typer.Option(help="Configuration file instead of config/config.yaml.")]
Settings = Annotated[str | None, typer.Option(help="Configuration as JSON, instead of a file.", metavar="JSON")]
MachineName = Annotated[str, typer.Option(help="Name of the machine in results/.", metavar="NAME")]
Results = Annotated[Path, typer.Option(help="Folder of the results of all machines.", file_okay=False)]
Log = Annotated[Path | None, typer.Option(help="File for a plain log, begun anew.", dir_okay=False)]


def read_configuration(configfile, settings):
    """The Config in a file or in JSON, the default one where neither is given."""
    from accelbench import config, project

    if configfile and settings is not None:
        raise InputError("--settings", "given beside --configfile", "Give one of the two")
    if settings is None:
        return config.read(configfile or project.DEFAULT_CONFIG)
    try:
        data = json.loads(settings)
    except ValueError as error:
        raise InputError("--settings", f"is not JSON: {error}", "Write an object, or use --configfile") from None
    return config.parse(data, "--settings")


def end_with_the_run():
    """End this process, a job of Snakemake's, when Snakemake has died: the next run would find it at work."""
    node, _, process = os.environ.get("ACCELBENCH_RUN", "").partition(" ")
    if node != platform.node():
        return
    try:
        run = os.pidfd_open(int(process))
    except ProcessLookupError:
        raise typer.Exit(130) from None

    def watch():
        select.select([run], [], [])
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=watch, daemon=True).start()


def open_log(path):
    """Send the package's log to the file `path`, if one is named, as jobs of Snakemake's do."""
    from accelbench.store import files

    end_with_the_run()
    if path:
        files.make_folder(path.parent)
        handler = logging.FileHandler(path, mode="w", encoding="utf-8")
        # A log that cannot be written, on a full disk say, is no reason to stop, nor for a traceback at every line.
        handler.handleError = lambda record: None
        handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
        logger.addHandler(handler)
        logger.setLevel(logging.INFO)
        logger.info(f"on {os.environ.get('SLURMD_NODENAME', platform.node())}, process {os.getpid()}")


def check_name(name, what):
    """`name`, or InputError where it could not be a folder's or module's name on every system."""
    from accelbench.kernels import catalog

    if not catalog.NAME.match(name):
        raise InputError(
            repr(name),
            f"cannot be the name of {what}",
            "Use a-z, 0-9 and _, beginning with a letter",
        )
    return name


def machine_folder(results, machine):
    """The results folder of one machine; InputError where the name could not be a key of `machines`."""
    from accelbench import config

    try:
        config.check_machine_name(machine)
    except ValueError as error:
        raise InputError("--machine", error, "Name it as the configuration does under `machines`") from None
    return results / machine


def own_folder(results, machine):
    """machine_folder for commands that add to it; InputError where its results are of another kind of computer."""
    from accelbench.machine import check_identity

    folder = machine_folder(results, machine)
    check_identity(folder)
    return folder


@app.command(cls=Run, context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def run(
    context: typer.Context,
    configfile: Configfile = None,
    cores: Annotated[str, typer.Option(help="How many cores to use, or `all`.")] = "all",
    directory: Annotated[Path, typer.Option(help="Folder that gets results/ and reports/.", file_okay=False)] = Path(),
    kernel: Annotated[
        list[str] | None, typer.Option(help="Only this kernel; may be repeated.", metavar="KERNEL")
    ] = None,
    backend: Annotated[
        list[str] | None, typer.Option(help="Only this backend; may be repeated.", metavar="BACKEND")
    ] = None,
    size: Annotated[list[int] | None, typer.Option(help="This size instead; may be repeated.", metavar="SIZE")] = None,
    again: Annotated[
        str | None,
        typer.Option(help="Measure again the cases whose names match, or all.", metavar="[PATTERN]"),
    ] = None,
    retry: Annotated[bool, typer.Option("--retry", help="Try everything again that failed.")] = False,
):
    """Build, measure, tabulate and report: the whole workflow, one run at a time.

    What was measured before and is still valid is not measured again. What crashed, ran out of memory or ended with an
    error is tried once more by the next run. Further arguments go to Snakemake.

    \b
    Example:
        python -m accelbench run --configfile config/smoke.yaml --cores 2
        python -m accelbench run --cores all -n
        python -m accelbench run --kernel vector_sum --backend cupy --size 100000000
        python -m accelbench run --again 'vector_sum/cffi_*'
    """
    from accelbench.cli import run

    if cores != "all" and not (cores.isdecimal() and int(cores) > 0):
        raise InputError("--cores", f"{cores!r} is no number of cores", "Write a whole number > 0, or all")
    narrowed = {"kernels": kernel, "backends": backend, "sizes": size}
    chosen = {key: value for key, value in narrowed.items() if value}
    raise typer.Exit(run.run(configfile, cores, directory, context.args, chosen, (again, retry)))


@app.command("list")
def list_kernels(
    kernels: Annotated[list[str] | None, typer.Argument(metavar="[KERNEL]...", help="All where none is named.")] = None,
    configfile: Configfile = None,
    machine: MachineName = "local",
    results: Results = Path("results"),
):
    """Show kernels and implementations, and which of them can run here or why not.

    \b
    Example:
        python -m accelbench list
        python -m accelbench list vector_sum
    """
    from rich import box
    from rich.table import Table
    from rich.text import Text

    from accelbench import console, project
    from accelbench.kernels import catalog

    config = read_configuration(configfile, None)
    names = kernels or catalog.find(project.locate(config).kernels_path)
    folders, broken = [], []
    for name in names:
        try:
            folders.append(project.find_kernel(config, name))
        except InputError as error:
            broken.append(error)
    backends = {i.backend for folder in folders for i in folder.implementations.values()}
    states = backend_states(machine_folder(results, machine) / "machine.json", backends)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column in ("kernel", "implementation", "what it is", "here"):
        table.add_column(column, overflow="fold")
    for folder in folders:
        for name, implementation in folder.implementations.items():
            remarks = [*implementation.flags, *(["the baseline"] if name == folder.spec.baseline else [])]
            title = implementation.title + (f" ({' '.join(remarks)})" if remarks else "")
            reason = states[implementation.backend]
            here = Text("yes", style="green") if reason is None else Text(f"no: {reason}", style="yellow")
            table.add_row(folder.name, name, Text(title), here)
        table.add_section()
    if folders:
        console.standard_output().print(table)
    for error in broken:
        typer.echo(f"error: {error}", err=True)
    raise typer.Exit(2 if broken else 0)


def backend_states(machine_file, backends):
    """{backend: None where it can run here, else the reason}, from the machine's description or by looking now."""
    from accelbench import machine
    from accelbench.store import formats

    if machine_file.is_file():
        described = formats.read(formats.Machine, machine_file, MACHINE_AGAIN)["backends"]
    else:
        described = machine.probe(backends)
    unknown = {"available": False, "reason": "not looked for yet: python -m accelbench machine"}
    states = {name: described.get(name, unknown) for name in backends}
    return {name: None if state["available"] else state["reason"] for name, state in states.items()}


@app.command()
def check(
    target: Annotated[str, typer.Argument(help="KERNEL, KERNEL/IMPLEMENTATION, or the path of a folder or file.")],
    configfile: Configfile = None,
):
    """Compare implementations with their kernel's reference: correctness only, every dtype, awkward sizes.

    \b
    Example:
        python -m accelbench check vector_sum
        python -m accelbench check vector_sum/cffi_api
        python -m accelbench check ~/my_kernels/vector_sum/numba_mine.py
    """
    from accelbench.measure import check

    config = read_configuration(configfile, None)
    folder, implementations = find_target(config, target)
    raise typer.Exit(0 if check(folder, implementations, config) else 1)


def find_target(config, target):
    """(KernelFolder, [implementation names]) of `kernel`, `kernel/implementation` or a path to either."""
    from accelbench import project
    from accelbench.kernels import catalog

    path = Path(target).expanduser()
    kernel, _, name = target.partition("/")
    named = kernel in catalog.find(project.locate(config).kernels_path) and "/" not in name
    if path.is_dir() and ((path / "kernel.py").is_file() or not named):
        folder, wanted = catalog.load(path), None
    elif path.suffix in (".py", ".pyx"):
        if not path.is_file():
            raise InputError(target, "no such file", "Name an implementation's file, or KERNEL/IMPLEMENTATION")
        folder = catalog.load(path.resolve().parent)
        wanted = [i.name for i in catalog.read_implementation(path.resolve())] if path.name != "kernel.py" else None
    elif "/" in target and not named:
        problem = "is no implementation" if path.exists() else "no such kernel or file"
        raise InputError(target, problem, "Name KERNEL, KERNEL/IMPLEMENTATION, or the .py or .pyx of an implementation")
    else:
        folder, wanted = project.find_kernel(config, kernel), [name] if name else None
    for name in wanted or ():
        if name not in folder.implementations:
            known = ", ".join(folder.implementations)
            raise InputError(target, f"the kernel {folder.name} has no such implementation", f"It has: {known}")
    return folder, wanted or list(folder.implementations)


@app.command()
def new(
    kernel: Annotated[str | None, typer.Argument(help="Name of the kernel.")] = None,
    implementation: Annotated[str | None, typer.Argument(help="<backend>_<style>, such as cffi_api.")] = None,
    exercise: Annotated[str | None, typer.Option(help="An exercise instead; `list` shows which there are.")] = None,
    directory: Annotated[
        Path | None, typer.Option(help="Folder of kernels instead of the configuration's first.", file_okay=False)
    ] = None,
    configfile: Configfile = None,
):
    """Write a kernel folder that passes `check` as it is, an implementation to fill in, or an exercise of a lecture.

    \b
    Example:
        python -m accelbench new saxpy
        python -m accelbench new saxpy numba_njit
        python -m accelbench new --exercise esrf-3-class
    """
    from accelbench import project
    from accelbench.kernels import catalog, skeleton

    if (kernel is None) == (exercise is None):
        raise InputError("new", "wants a kernel's name or an exercise's", "Write: new KERNEL, or: new --exercise list")
    if exercise == "list":
        list_exercises(skeleton.exercises())
        return
    if kernel is not None:
        check_name(kernel, "a kernel")
    if implementation:
        check_name(implementation, "an implementation")
    config = read_configuration(configfile, None)
    home = Path(directory or project.locate(config).kernels_path[0])
    if exercise:
        written = skeleton.write_exercise(exercise, home)
    elif implementation is None:
        written = skeleton.write_kernel(home / kernel)
    else:
        folder = catalog.load(directory / kernel) if directory else project.find_kernel(config, kernel)
        written = skeleton.write_implementation(folder, implementation)
    for path in written:
        typer.echo(f"wrote {path}")
    named = [path for path in written if path.suffix in (".py", ".pyx")] if exercise else written[:1]
    for path in named:
        target = path if exercise or implementation else path.parent
        typer.echo(f"Edit, then: python -m accelbench check {target}")


def list_exercises(exercises):
    """Print each exercise with its solution, KERNEL/IMPLEMENTATION, and what its skeletons are titled."""
    from accelbench.kernels import catalog

    for name, folder in exercises.items():
        for file in sorted(folder.glob("*.py*")):
            (skeleton,) = catalog.read_implementation(file)
            solution = f"{folder.name}/{file.stem.removesuffix('_exercise')}"
            typer.echo(f"{name:15} {solution:30} {skeleton.title.removeprefix('Exercise: ')}")


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
    from accelbench import backends, build, project
    from accelbench.store import files, formats

    open_log(log)
    if toolchain is not None and toolchain not in build.modules():
        raise InputError(toolchain, "no such toolchain", f"One of {', '.join(build.modules())}")
    config = read_configuration(configfile, settings)
    folder = project.find_kernel(config, kernel)
    home = own_folder(results, machine)
    described = formats.read(formats.Machine, home / "machine.json", MACHINE_AGAIN)["backends"]
    for name in [toolchain] if toolchain else build.toolchains(folder):
        served = [backend for backend in backends.modules() if backends.toolchain(backend) == name]
        devices = [device for backend in served for device in described.get(backend, {}).get("devices", ())]
        manifest = build.build(folder, name, config.build, devices, home / "build" / kernel)
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
    from accelbench.measure import measure

    open_log(log)
    config = read_configuration(configfile, settings)
    if settings is None:
        project.plan(config, configfile or project.DEFAULT_CONFIG, broken={})
    config = project.settle(config, project.find_kernel(config, kernel))
    measure(config, machine, kernel, own_folder(results, machine), cores)


@app.command()
def tables(machine: MachineName = "local", results: Results = Path("results"), log: Log = None):
    """Make the tables of one machine from its timings.

    \b
    Example:
        python -m accelbench tables --machine local
    """
    from accelbench import analysis

    open_log(log)
    analysis.write(machine_folder(results, machine))


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
    """Render the report of one machine, with figures for slides, from its tables, and the page that leads to all.

    \b
    Example:
        python -m accelbench report --machine local
    """
    from accelbench import report
    from accelbench.report import machines

    open_log(log)
    folder = machine_folder(results, machine)
    report.write(folder, folder / "tables", reports / machine, read_configuration(configfile, settings))
    machines.write(results, reports)


@app.command()
def publish(
    target: Annotated[Path, typer.Argument(help="Folder to write; its name becomes the machine's.", file_okay=False)],
    machine: MachineName = "local",
    results: Results = Path("results"),
):
    """Write one machine's results, compressed, and its report into a folder fit to be committed or sent.

    \b
    Example:
        python -m accelbench publish reports/examples/laptop --machine local
    """
    from accelbench.archive import publishing

    typer.echo(publishing.publish(machine_folder(results, machine), target.resolve().name, target))


@app.command()
def resume(
    published: Annotated[
        Path, typer.Argument(metavar="PUBLISHED", help="A folder that `publish` wrote.", exists=True, file_okay=False)
    ],
    machine: MachineName = "local",
    results: Results = Path("results"),
):
    """Take up a published folder, so that the next run on an equal machine measures only what it lacks.

    \b
    Example:
        python -m accelbench resume reports/examples/laptop --machine laptop
    """
    from accelbench.archive import publishing

    folder = machine_folder(results, machine)
    publishing.resume(published, folder)
    typer.echo(f"{folder} goes on from {published}: run the workflow with `machines: {{{machine}: {{}}}}`")


def check_output(path, *folders):
    """InputError where writing to `path` would destroy a result file of one of the results folders `folders`."""
    for folder in folders:
        kept = [folder / "machine.json", *folder.glob("timings/*"), *folder.glob("kernels/*")]
        if path and path.resolve() in [file.resolve() for file in kept]:
            raise InputError(path, f"is a result file of {folder}", "Name another file to write")


@app.command()
def compare(
    first: Annotated[Path, typer.Argument(metavar="A", help="A results folder, of a machine or published.")],
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
    """
    from accelbench import compare
    from accelbench.compare import page, terminal
    from accelbench.store import files
    from accelbench.store.load import load_results

    for option, value, known in (("--by", by, (compare.PLAIN, compare.RELATIVE)), ("--fail-on", fail_on, ("slower",))):
        if value not in (None, *known):
            raise InputError(option, f"{value!r} is not known", f"Write {' or '.join(known)}, or leave it out")
    if csv and html and csv.resolve() == html.resolve():
        raise InputError(html, "cannot be both the table and the page", "Name two files")
    check_output(csv, first, second)
    check_output(html, first, second)
    runs = compare.compare(load_results(first), load_results(second), (str(first), str(second)), by)
    if html:
        files.write(html, page.render(runs))
    if csv:
        files.write(csv, compare.table(runs).to_csv(index=False))
    terminal.show(runs, every)
    verdicts = {pair.compared.verdict for pair in runs.pairs} - {None}
    if fail_on and not verdicts:
        problem = "no case of it can be judged beside the other run"
        raise InputError(second, problem, "Both must have measured the same cases in two processes or more")
    raise typer.Exit(1 if fail_on and "SLOWER" in verdicts else 0)


@app.command()
def export(
    folder: Annotated[Path, typer.Argument(metavar="RESULTS", help="A results folder, of a machine or published.")],
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
    folder: Annotated[Path, typer.Argument(metavar="RESULTS", help="A results folder, of a machine or published.")],
    output: Annotated[Path | None, typer.Option(help="File instead of MACHINE.zip here.")] = None,
):
    """Pack results, configuration, sources, locks and machine description into one file, with sums and metadata.

    \b
    Example:
        python -m accelbench bundle results/local --output results.zip
    """
    from accelbench.archive import bundle

    check_output(output, folder)
    written = bundle.bundle(folder, output)
    for note in written.notes:
        typer.echo(f"note: {note}", err=True)
    typer.echo(f"wrote {written.path}, {written.count} files")


@app.command()
def verify(file: Annotated[Path, typer.Argument(help="A bundle.")]):
    """Check a bundle: name every file in it that differs, is missing or is extra.

    \b
    Example:
        python -m accelbench verify results.zip
    """
    from accelbench.archive import bundle

    problems = bundle.verify(file)
    for problem in problems:
        typer.echo(problem, err=True)
    typer.echo(f"{file}: {len(problems)} files are not as they were" if problems else f"{file}: as it was made")
    raise typer.Exit(1 if problems else 0)


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
    from accelbench import project
    from accelbench.measure import case

    config = read_configuration(configfile, settings)
    config = project.settle(config, project.find_kernel(config, case_id.partition("/")[0]))
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
    from accelbench.measure import profiling

    open_log(log)
    config = read_configuration(configfile, settings)
    home = own_folder(results, machine)
    profiling.profile(config, machine, kernel, home, implementations or (), size)
    profiling.gather_annotations(home)
    typer.echo(f"wrote {home / 'profile' / kernel}")


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
    measuring.run(entry, config, machine, home, cores, lambda line: typer.echo(f"{place}, {line}", err=True))


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
    drawn = [entry for entry in declared if (home / "lectures" / entry.id / writing.DRAWN).exists()]
    absent = [entry for entry in declared if entry not in drawn]
    if not drawn:
        remedy = "Draw one: snakemake --cores all reports/local/figures/ID.svg; or all: make lecture"
        raise InputError(home / "lectures", "holds no figure that was drawn", remedy)
    typer.echo(writing.write_page(home, reports / machine, drawn, absent))


@app.command()
def schema():
    """Print the JSON Schema of a result record.

    \b
    Example:
        python -m accelbench schema > workflow/accelbench/model/record.schema.json
    """
    from accelbench.model.record import Record

    typer.echo(json.dumps(Record.model_json_schema(), indent=2))
