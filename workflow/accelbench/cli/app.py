"""The Typer application of all commands. It turns errors that the user can fix into one-line messages."""

import errno
import logging
import os
import signal
import sys
from pathlib import Path

import typer
from typer.core import TyperGroup

from accelbench.errors import InputError
from accelbench.store.failures import FINISHED

# {error number: remedy} for the operating system's errors that the user can fix
REFUSALS = {
    errno.ENOSPC: "Free some space and run again: what was measured is kept",
    errno.EDQUOT: "Free some of your quota and run again: what was measured is kept",
    errno.EROFS: "Choose a folder that can be written",
    errno.EACCES: "Choose a folder that you may write to, or correct its permissions",
    errno.EPERM: "Choose a folder that you may write to, or correct its permissions",
    errno.EFBIG: "Raise the limit on the size of files and run again: what was measured is kept",
    errno.EEXIST: "A folder is needed there: move the file away",
    errno.ELOOP: "A folder is needed there: remove the link, which leads to itself",
    errno.ENOTDIR: "A folder is needed there: move the file away",
    errno.EISDIR: "A file is needed there: move the folder away",
    errno.ENAMETOOLONG: "Choose a shorter name",
    errno.EIO: "Check the disk and its connection: what was measured before is kept",
    errno.EMFILE: "Raise the limit on open files (ulimit -n) and run again: what was measured is kept",
}

LONGEST = 200  # Maximum number of characters of a command's summary in --help


def started_by_make():
    """Return whether the parent process is make."""
    try:
        return Path("/proc", str(os.getppid()), "comm").read_text().strip() == "make"
    except OSError:
        return False


def interrupted_status():
    """Return the exit status of an interrupted command: 130, or 0 if make started the command.

    The interrupt also ends make. Make would print an error message on any status except 0.
    """
    return 0 if started_by_make() else 130


logger = logging.getLogger("accelbench")
logger.addHandler(logging.NullHandler())


def _refusal(error):
    """Return the one-line message for an error that the user can fix. Return None for any other error."""
    if str(error).startswith("Symlink loop"):  # raised by Path.resolve
        return f"{error}. {REFUSALS[errno.ELOOP]}"
    if not isinstance(error, OSError) or error.errno not in REFUSALS:
        return None
    place = error.filename or "results"
    if error.filename is None:
        try:
            os.write(1, b"\n")
        except OSError:
            place = "standard output"
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # otherwise Python's flush at exit would fail
    return f"{place}: {error.strerror}. {REFUSALS[error.errno]}"


class Commands(TyperGroup):
    """Command group that reports errors of its commands.

    It prints an error that the user can fix as one line, and exits with status 2. It raises any other error again, so
    that Click prints usage errors, and Python prints tracebacks of all other errors.
    """

    def invoke(self, ctx):
        try:
            if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:  # set by __main__
                signal.signal(signal.SIGINT, signal.default_int_handler)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})  # blocked by cli.snakemake
            result = super().invoke(ctx)
            logger.info(FINISHED)
            return result
        except KeyboardInterrupt as error:
            if "ACCELBENCH_RUN" not in os.environ:  # in a job of the workflow, `run` prints the message
                typer.echo("Stopped. What was measured is kept.", err=True)
            logger.error("interrupted")
            raise typer.Exit(interrupted_status()) from error
        except Exception as error:
            message = str(error) if isinstance(error, InputError) else _refusal(error)
            if message is None and not type(error).__module__.startswith(("click", "typer")):
                logger.exception("internal error")
            if message is None:
                raise
            typer.echo(f"error: {message}", err=True)
            logger.error(message)
            raise typer.Exit(2) from error

    def main(self, *arguments, **options):
        """Run a command. If the help text of a command cannot be written, exit with a one-line error message."""
        try:
            return super().main(*arguments, **options)
        except OSError as error:
            message = _refusal(error)
            if message is None:
                raise
            sys.exit(f"error: {message}")

    def format_commands(self, ctx, formatter):
        """List each command with the whole first sentence of its help. Click would shorten this sentence."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, c.get_short_help_str(LONGEST)) for name, c in self.commands.items()])


app = typer.Typer(
    cls=Commands,
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help="Measure which way of accelerating a Python computation is fastest on this machine.",
    epilog="Most people need only `try`, `run`, `list`, `check`, `new` and `compare`. The rules of the workflow call "
    "most of the others.",
)
