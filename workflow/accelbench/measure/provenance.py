"""Which state of the source, and which libraries, a run came from."""

import json
import os
import subprocess
from datetime import UTC, datetime
from functools import cache
from typing import Any

from accelbench import project

CONFIGFILES = "ACCELBENCH_CONFIGFILES"
SOURCES = ("kernels", "workflow")


def commit(folder) -> dict[str, Any]:
    """{"commit": hash or None, "dirty": bool or None} of the git checkout at `folder`.

    Dirty is what may compute otherwise than the commit: a tracked file that was changed, a new one among the sources.
    A configuration of one's own beside them is recorded with every run.
    """

    def git(*words):
        return subprocess.run(
            ["git", "-C", folder, *words], capture_output=True, text=True, timeout=20, check=True
        ).stdout

    try:
        changed = git("status", "--porcelain", "--untracked-files=no") + git("status", "--porcelain", "--", *SOURCES)
        return {"commit": git("rev-parse", "HEAD").strip(), "dirty": bool(changed)}
    except (OSError, subprocess.SubprocessError):
        return {"commit": None, "dirty": None}


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
