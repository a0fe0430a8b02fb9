"""Functions that run commands in this process or in a separate one."""

import os
import subprocess
import sys

from typer.testing import CliRunner

from accelbench import project
from accelbench.cli import commands


def invoke(*words):
    """Return typer's Result of `python -m accelbench WORDS`, run in this process."""
    return CliRunner().invoke(commands.app, [str(word) for word in words])


def command(*words):
    """Return the list of arguments that runs `python -m WORDS`."""
    return [sys.executable, "-m", *map(str, words)]


def shell(*words, cwd, workflow=project.ROOT, **options):
    """Return the finished process of `python -m WORDS`, started in the folder `cwd`."""
    environment = {**os.environ, "PYTHONPATH": str(workflow / "workflow")}
    return subprocess.run(
        command(*words), cwd=cwd, capture_output=True, text=True, timeout=540, env=environment, **options
    )
