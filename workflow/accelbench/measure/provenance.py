"""Which state of the source, and which libraries, a run came from."""

import json
import os
import shlex
from datetime import UTC, datetime
from functools import cache
from typing import Any

from accelbench import project
from accelbench.errors import notice
from accelbench.processes.kept import ask

CONFIGFILES = "ACCELBENCH_CONFIGFILES"
GIT_S = 20  # deadline of a git command
SOURCES = ("kernels", "workflow")


def commit(folder) -> dict[str, Any]:
    """{"commit": hash or None, "dirty": bool or None} of the git checkout at `folder`.

    Dirty is what may compute otherwise than the commit: a tracked file that was changed, a new one among the sources.
    A configuration of one's own beside them is recorded with every run.
    """

    changed = ("status", "--porcelain", "--untracked-files=no")
    new = ("status", "--porcelain", "--", *SOURCES)
    found = [ask(["git", "-C", folder, *words], GIT_S) for words in (changed, new, ("rev-parse", "HEAD"))]
    if any("safe.directory" in words for status, words in found if status):
        what = f"note: {folder} belongs to another user, so that git tells no commit for the record. Run: git config"
        notice(f"{what} --global --add safe.directory {shlex.quote(str(folder))}")
    if any(status != 0 for status, _ in found):
        return {"commit": None, "dirty": None}
    return {"commit": found[2][1], "dirty": bool(found[0][1] or found[1][1])}


def run() -> str:
    """The name of the run of the workflow that this process is part of; one of its own where it is part of none."""
    return os.environ.get("ACCELBENCH_RUN_ID") or f"{_started():%Y%m%dT%H%M%S}-{os.getpid()}"


@cache
def _started():
    return datetime.now(UTC)


def note_configfiles(paths):
    """Leave to this process and its jobs which files their configuration was read from, as results name them."""
    os.environ[CONFIGFILES] = json.dumps([project.named(path) for path in paths])


def configfiles() -> list[str] | None:
    """Those names; None where nobody said."""
    return json.loads(os.environ.get(CONFIGFILES, "null"))
