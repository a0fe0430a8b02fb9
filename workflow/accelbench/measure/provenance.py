"""Provenance of results: commit of the sources, run, and configuration files."""

import json
import os
import shlex
from datetime import UTC, datetime
from typing import Any

from accelbench import project
from accelbench.errors import notice
from accelbench.processes.supervision import ask

CONFIGFILES = "ACCELBENCH_CONFIGFILES"
GIT_S = 20  # Deadline of a git command, in seconds
SOURCES = ("kernels", "workflow")
STARTED = datetime.now(UTC)  # Start time of this process


def commit(folder) -> dict[str, Any]:
    """Return {"commit": hash or None, "dirty": bool or None} of the git checkout at `folder`.

    A checkout is dirty if a tracked file was changed, or if a folder in SOURCES contains a new file. New files in other
    folders, such as the user's configuration, do not count.
    """

    changed = ("status", "--porcelain", "--untracked-files=no")
    new = ("status", "--porcelain", "--", *SOURCES)
    answers = [ask(["git", "-C", folder, *words], GIT_S) for words in (changed, new, ("rev-parse", "HEAD"))]
    if any("safe.directory" in words for status, words in answers if status):
        what = f"note: {folder} belongs to another user, so git does not report its commit. Run: git config"
        notice(f"{what} --global --add safe.directory {shlex.quote(str(folder))}")
    if any(status != 0 for status, _ in answers):
        return {"commit": None, "dirty": None}
    return {"commit": answers[2][1], "dirty": bool(answers[0][1] or answers[1][1])}


def run() -> str:
    """Return the name of this process's workflow run; without a workflow, start time and id of this process."""
    return os.environ.get("ACCELBENCH_RUN_ID") or f"{STARTED:%Y%m%dT%H%M%S}-{os.getpid()}"


def note_configfiles(paths):
    """Store the names of the configuration files in an environment variable, for this process and its jobs."""
    os.environ[CONFIGFILES] = json.dumps([project.named(path) for path in paths])


def configfiles() -> list[str] | None:
    """Return the names that note_configfiles has set, or None."""
    return json.loads(os.environ.get(CONFIGFILES, "null"))
