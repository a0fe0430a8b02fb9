"""What commands share: the application and its options, messages for what people can put right, logs and names."""

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
from accelbench.model.names import NAME
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
    if not NAME.match(name):
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
