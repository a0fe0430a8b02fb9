"""Where the workflow's own files lie, found from this file's place."""

import os
from pathlib import Path

from accelbench.errors import InputError

ROOT = Path(__file__).resolve().parents[2]
SNAKEFILE = ROOT / "Snakefile"
DEFAULT_CONFIG = ROOT / "config" / "config.yaml"
PEAKS = ROOT / "workflow" / "peaks"
EXERCISES = ROOT / "exercises"


def at_home(path):
    """A path as a person writes it, ~ and ~name being their homes; of nobody's it stays as it is."""
    return Path(os.path.expanduser(path))


def check_places(directory, machines):
    """InputError where something else lies in `directory` in place of a folder of results or reports."""
    for top in ("results", "reports"):
        for path in (Path(directory, top), *(Path(directory, top, machine) for machine in machines)):
            if path.exists() and not path.is_dir():
                raise InputError(path, "is a file where a folder is needed", "Move it away")
