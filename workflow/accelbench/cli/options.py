"""Options that several commands share, and values that are derived from these options."""

import functools
import inspect
import logging
import os
import platform
import select
import signal
import threading
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer.core import TyperCommand

from accelbench import project
from accelbench.cli.app import logger
from accelbench.errors import InputError
from accelbench.processes.supervision import inherit

if TYPE_CHECKING:
    from accelbench.config import Config
    from accelbench.config.run_plan import RunPlan

KernelName = Annotated[str, typer.Argument(help="Name of the kernel.")]
KernelsFolder = Annotated[
    Path | None, typer.Option(help="Folder of kernels; by default the first in the configuration.", file_okay=False)
]
Function = Annotated[
    str | None, typer.Option("--from", help="NumPy function that the kernel computes.", metavar="FILE.py:FUNCTION")
]
Arguments = Annotated[
    str | None, typer.Option(help="Arguments of the function, as Python; they may use `np`, `rng` and `n`.")
]
Setup = Annotated[str, typer.Option(help="Python statements before `--args`, such as imports.")]
Sizes = Annotated[list[int] | None, typer.Option(help="Values of `n`, one or more.", metavar="N...", min=1)]
ResultsFolder = Annotated[
    Path, typer.Argument(metavar="RESULTS", help="Folder of the results of a machine, or a published folder.")
]


class SizesCommand(TyperCommand):
    """A command whose option --size takes several numbers."""

    def parse_args(self, ctx, args):
        complete, is_size = [], False
        for before, word in zip(["", *args], args, strict=False):
            is_size = before == "--size" or (is_size and word.isdecimal())
            complete += ["--size", word] if is_size else [word] * (word != "--size")
        return super().parse_args(ctx, complete + ["--size"] * (args[-1:] == ["--size"]))


@dataclass(frozen=True)
class CommonOptions:
    """Values of the options that commands share. An option that a command does not offer has its default value."""

    machine: Annotated[str, typer.Option(help="Name of the machine in results/.", metavar="NAME")] = "local"
    results: Annotated[Path, typer.Option(help="Folder of the results of all machines.", file_okay=False)] = Path(
        "results"
    )
    reports: Annotated[Path, typer.Option(help="Folder of the reports of all machines.", file_okay=False)] = Path(
        "reports"
    )
    configfile: Annotated[
        list[Path] | None,
        typer.Option(help="Configuration file instead of config/config.yaml. If repeated, later files override."),
    ] = None
    plan: Annotated[
        Path | None,
        typer.Option(
            help="Plan of a run, results/NAME/plans/DIGEST.json. It replaces all options except --cores and --log.",
            metavar="FILE",
            dir_okay=False,
        ),
    ] = None
    cores: Annotated[int | None, typer.Option(help="Number of cores to use; by default all.", min=1)] = None
    log: Annotated[Path | None, typer.Option(help="Log file to write.", dir_okay=False)] = None
    planned: "RunPlan | None" = None

    @classmethod
    def of(cls, *, plan=None, cores=None, **others) -> "CommonOptions":
        """Return the options of a command. The plan of a run, if given, replaces all options but --cores and --log.

        Raise InputError if a replaced option is given together with a plan.
        """
        if plan is None:
            return cls(cores=cores, **others)
        for name in others.keys() - {"log"}:
            if others[name] != getattr(cls, name):
                raise InputError("--plan", f"cannot be combined with --{name}", "Give one of the two")
        from accelbench.config import run_plan

        planned = run_plan.read(plan)
        place = {"machine": plan.parents[1].name, "results": plan.parents[2], "reports": Path(planned.reports)}
        return cls(**others | place, plan=plan, planned=planned, cores=cores or planned.cores)

    @cached_property
    def config(self) -> "Config":
        """Configuration from the plan, else from the given files, else the default configuration."""
        from accelbench import config

        return _inherited(self.planned.config if self.planned else config.read(*self.configfiles))

    @cached_property
    def lecture_config(self) -> "Config":
        """Configuration for figures of lectures: from the plan, else the given files, else config/lecture.yaml."""
        from accelbench.lectures import needs

        if self.planned:
            return _inherited(self.planned.lectures)
        return self.config if self.configfile else _inherited(needs.read_configuration())

    @property
    def folder(self) -> Path:
        """Folder of the machine's results. Raise InputError if the machine's name is not valid in a configuration."""
        from accelbench import config

        try:
            config.check_machine_name(self.machine)
        except ValueError as error:
            raise InputError("--machine", error, "Name it as the configuration does under `machines`") from None
        return self.results / self.machine

    @property
    def own_folder(self) -> Path:
        """Folder of the machine's results, for commands that write to it.

        Raise InputError if the folder contains results of another kind of computer.
        """
        from accelbench.machine import identity

        if self.folder.is_dir():
            identity.check(self.folder)
        return self.folder

    @property
    def configfiles(self) -> list[Path]:
        """Files of the configuration, by default config/config.yaml."""
        if self.planned:
            return list(map(Path, self.planned.configfiles))
        return self.configfile or [project.DEFAULT_CONFIG]

    @property
    def where(self) -> str:
        """Text by which messages name the configuration's files."""
        from accelbench import config

        return self.planned.where if self.planned else config.where(self.configfiles)


def _inherited(config):
    """Return `config` unchanged. Let workers and compilers inherit the environment variables that it names."""
    inherit(config.variables)
    return config


def with_options(*names):
    """Return a decorator that adds the common options `names` to a command.

    The first argument of the command is a CommonOptions with the values of these options.
    """
    options = [inspect.signature(CommonOptions).parameters[name] for name in names]

    def decorate(command):
        @functools.wraps(command)
        def with_given(log=None, **arguments):
            if "log" in names:
                end_with_the_run()
                open_log(log)
            common = {name: arguments.pop(name) for name in names if name != "log"}
            return command(CommonOptions.of(log=log, **common), **arguments)

        every = [*inspect.signature(command).parameters.values(), *options][1:]
        with_given.__signature__ = inspect.Signature(
            [parameter.replace(kind=parameter.KEYWORD_ONLY) for parameter in every]
        )
        return with_given

    return decorate


def end_with_the_run():
    """End this job when the Snakemake process that started it ends. Otherwise the job would disturb the next run."""
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
    """Write the package's log to the file `path`, the value of --log. Do nothing if `path` is None."""
    from accelbench.store import files

    if path:
        try:
            files.make_folder(path.parent)
            handler = logging.FileHandler(path, mode="w", encoding="utf-8")
        except FileNotFoundError:
            raise InputError("--log", f"{path} cannot be made", "Choose a folder that can be written") from None
        # On a full disk, drop lines of the log instead of printing a traceback for each line.
        handler.handleError = lambda record: None
        handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
        logger.addHandler(handler)
        logger.setLevel(logging.INFO)
        logger.info(f"on {os.environ.get('SLURMD_NODENAME', platform.node())}, process {os.getpid()}")
