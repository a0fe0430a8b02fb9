"""Commands on kernels and implementations: list, check, new."""

import keyword
import shlex
from collections import Counter, defaultdict
from pathlib import Path
from typing import Annotated

import typer

from accelbench import project
from accelbench.cli.app import app
from accelbench.cli.options import Arguments, Function, KernelsFolder, Setup, Sizes, SizesCommand, with_options
from accelbench.errors import InputError
from accelbench.model.names import NAME

NAMED_LIKE = "Use a-z, 0-9 and _, beginning with a letter, but no keyword of Python"


@app.command("list")
@with_options("configfile", "machine", "results")
def list_kernels(
    given,
    kernels: Annotated[
        list[str] | None, typer.Argument(metavar="[KERNEL]...", help="Names of kernels; by default all.")
    ] = None,
):
    """List the implementations of kernels, and say which backends can run here, and why others cannot.

    \b
    Example:
        python -m accelbench list
        python -m accelbench list vector_sum
    """
    from rich import box
    from rich.table import Table
    from rich.text import Text

    from accelbench import console
    from accelbench.config import select

    folders, broken = [], []
    for name in kernels or select.find(given.config):
        try:
            folders.append(select.load(given.config, name, given.where))
        except InputError as error:
            broken.append(error)
    counts = Counter(i.backend for folder in folders for i in folder.implementations.values())
    states, groups = backend_states(given.folder / "machine.json", set(counts), given.config), defaultdict(list)
    for backend, number in counts.most_common():
        groups[states[backend]].append(f"{backend} {number}")
    for reason, named in sorted(groups.items(), key=lambda group: group[0] is not None):
        typer.echo(f"{'here' if reason is None else 'not here'}: {', '.join(named)}{f' ({reason})' if reason else ''}")
    for folder in folders:
        table = Table(title=folder.name, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
        for column in ("implementation", "algorithm", "mode", "what it is", "here"):
            table.add_column(column, overflow="fold", no_wrap=column == "implementation")
        for name, implementation in folder.implementations.items():
            remarks = [*implementation.flags, *(["the baseline"] if name == folder.spec.baseline else [])]
            title = implementation.title + (f" ({' '.join(remarks)})" if remarks else "")
            mode = [implementation.math(given.config.build), implementation.target(given.config.build)]
            words = name, implementation.algorithm, " ".join(mode + ["threads"] * implementation.threads)
            table.add_row(*words, Text(title), "no" if states[implementation.backend] else "yes")
        console.standard_output().print(table)
    for error in broken:
        typer.echo(f"error: {error}", err=True)
    raise typer.Exit(2 if broken else 0)


def backend_states(machine_file, backends, config):
    """Return {backend: reason why it cannot run here, or None if it can}.

    The reasons come from the machine's description. If the description lacks a backend, this function probes the
    backend. A backend may need an environment that the configuration does not name. If this environment exists, this
    function probes the backend there.
    """
    from accelbench.machine import devices
    from accelbench.store.load import read_machine
    from accelbench.toolchains import opencl_drivers

    described = read_machine(machine_file.parent).backends if machine_file.is_file() else {}
    # An environment variable may hide OpenCL's drivers, so probe pyopencl again.
    hidden = {"pyopencl"} if opencl_drivers.variable_to_unset() else set()
    probes, _ = devices.probe_everywhere(config.with_every_environment().places, backends - (described.keys() - hidden))
    states = described | probes
    return {name: None if states[name].available else states[name].reason for name in backends}


@app.command()
@with_options("configfile")
def check(
    given,
    target: Annotated[str, typer.Argument(help="KERNEL, KERNEL/IMPLEMENTATION, or the path of a folder or file.")],
):
    """Check the results of implementations against their kernel's reference, in every dtype and at edge-case sizes.

    The command measures no times.

    \b
    Example:
        python -m accelbench check vector_sum
        python -m accelbench check vector_sum/cffi_api
        python -m accelbench check 'vector_sum/cffi_*'
        python -m accelbench check ~/my_kernels/vector_sum/numba_mine.py
    """
    from accelbench.config.select import EffectiveConfig
    from accelbench.measure import check

    kernel, names = find_target(given.config, target, given.where)
    typer.echo(f"Building and checking {', '.join(names)}. A compiler may take a minute.", err=True)
    if not check(EffectiveConfig.of(given.config.with_every_environment(), kernel), names):
        line = kernel.file.read_text("utf-8").partition("def reference(")[0].count("\n") + 1
        typer.echo(
            f"{kernel.file}:{line} computes the correct result. tolerance() in this file sets the allowed error",
            err=True,
        )
        raise typer.Exit(1)


def find_target(config, target, where):
    """Return (KernelFolder, [implementation names]) for `target`: KERNEL, KERNEL/PATTERN or a path."""
    from accelbench.config import select
    from accelbench.environments.placement import matching
    from accelbench.kernels.implementation import read_implementation
    from accelbench.verify import trial

    path = project.at_home(target)
    kernel, _, name = target.partition("/")
    named = kernel in select.find(config) and "/" not in name
    if path.is_dir() and ((path / "kernel.py").is_file() or not named):
        folder, names = trial.load(path), None
    elif path.suffix in (".py", ".pyx"):
        if not path.is_file():
            raise InputError(target, "no such file", "Name an implementation's file, or KERNEL/IMPLEMENTATION")
        folder = trial.load(path.resolve().parent)
        names = [i.name for i in read_implementation(path.resolve())] if path.name != "kernel.py" else None
    elif "/" in target and not named:
        raise InputError(
            target,
            "is not an implementation" if path.exists() else "no such kernel or file",
            "Name KERNEL, KERNEL/IMPLEMENTATION, or the .py or .pyx of an implementation",
        )
    else:
        folder = select.load(config, kernel, where)
        names = (matching(folder.implementations, [name]) or [name]) if name else None
    for name in names or ():
        if name not in folder.implementations:
            raise InputError(
                target,
                f"the kernel {folder.name} has no such implementation",
                f"It has: {', '.join(folder.implementations)}",
            )
    return folder, names or list(folder.implementations)


@app.command(cls=SizesCommand)
@with_options("configfile")
def new(
    given,
    kernel: Annotated[str | None, typer.Argument(help="Name of the kernel.")] = None,
    implementation: Annotated[str | None, typer.Argument(help="<backend>_<style>, such as cffi_api.")] = None,
    exercise: Annotated[str | None, typer.Option(help="Exercise to write instead; `list` prints the names.")] = None,
    directory: KernelsFolder = None,
    function: Function = None,
    args: Arguments = None,
    setup: Setup = "",
    size: Sizes = None,
):
    """Write a kernel folder that passes `check` as it is, an implementation to fill in, or an exercise of a lecture.

    \b
    Example:
        python -m accelbench new saxpy
        python -m accelbench new saxpy numba_njit
        python -m accelbench new --exercise esrf-3-class
        python -m accelbench new distances --from my.py:pairwise --args "rng.random((n, 3))" --size 20 200
    """
    from accelbench.config import select
    from accelbench.derive import observation, trying
    from accelbench.kernels import skeleton
    from accelbench.verify import trial

    if (kernel is None) == (exercise is None):
        raise InputError("new", "needs the name of a kernel or exercise", "Write: new KERNEL, or: new --exercise list")
    if exercise == "list":
        return list_exercises(skeleton.exercises())
    for name, what in ((kernel, "a kernel"), (implementation, "an implementation")):
        if name is not None and (not NAME.match(name) or keyword.iskeyword(name)):
            raise InputError(repr(name), f"cannot be the name of {what}", NAMED_LIKE)
    home = Path(directory or select.kernel_folders(given.config)[0])
    if function and kernel and not implementation:
        observed = observation.observe(observation.request(function, args=args, setup=setup, sizes=size))
        trying.write_folder(home / kernel, [], observed)
        written = [home / kernel / name for name in ("kernel.py", "numpy_derived.py")]
    elif exercise is not None:
        written = skeleton.write_exercise(exercise, home)
    elif implementation is None:
        written = skeleton.write_kernel(home / kernel)
    else:
        folder = trial.load(directory / kernel) if directory else select.load(given.config, kernel, given.where)
        written = skeleton.write_implementation(folder, implementation)
    for path in written:
        typer.echo(f"wrote {path}")
    named = [path for path in written if path.suffix in (".py", ".pyx")] if exercise else written[:1]
    for path in named:
        target = shlex.quote(str(path if exercise or implementation else path.parent))
        typer.echo(f"Edit, then: python -m accelbench check {target}")


def list_exercises(exercises):
    """Print a line for each exercise: its name, its solution as KERNEL/IMPLEMENTATION, and its skeleton's title."""
    from accelbench.kernels.implementation import read_implementation

    for name, folder in exercises.items():
        for file in sorted(folder.glob("*.py*")):
            skeleton, *_ = read_implementation(file)
            columns = name, f"{folder.name}/{file.stem.removesuffix('_exercise')}", skeleton.title
            typer.echo("{:15} {:30} {}".format(*columns).replace("Exercise: ", ""))
