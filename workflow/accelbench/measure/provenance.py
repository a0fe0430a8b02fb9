"""Which state of the source, and which libraries, a run came from."""

import importlib.metadata
import subprocess


def commit(folder):
    """{"commit": hash or None, "dirty": bool or None} of the git checkout at `folder`."""

    def git(*words):
        return subprocess.run(
            ["git", "-C", folder, *words], capture_output=True, text=True, timeout=20, check=True
        ).stdout

    try:
        return {"commit": git("rev-parse", "HEAD").strip(), "dirty": bool(git("status", "--porcelain").strip())}
    except (OSError, subprocess.SubprocessError):
        return {"commit": None, "dirty": None}


def version(package):
    """The version of an installed distribution, or None."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None
