"""Commands of accelbench, run in this process."""

from typer.testing import CliRunner

from accelbench.cli import commands


def invoke(*words):
    """Return typer's Result of `python -m accelbench WORDS`."""
    return CliRunner().invoke(commands.app, [str(word) for word in words])
