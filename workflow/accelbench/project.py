"""Paths of the project's files, and functions on paths."""

import os
from pathlib import Path

from accelbench.errors import InputError

ROOT = Path(__file__).resolve().parents[2]
SNAKEFILE = ROOT / "Snakefile"
DEFAULT_CONFIG = ROOT / "config" / "config.yaml"
PEAKS = ROOT / "workflow" / "peaks"
EXERCISES = ROOT / "exercises"


def at_home(path):
    """Return a path with ~ and ~name expanded, unless the user `name` is unknown."""
    return Path(os.path.expanduser(path))


def named(path):
    """Return the name by which results refer to a file: its path in the project, or its file name outside."""
    path = Path(os.path.abspath(path))
    return str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else path.name


def check_places(directory, machines):
    """Raise InputError if ROOT contains a brace, or if a file in `directory` has the name of an output folder."""
    if {"{", "}"} & set(str(ROOT)):
        raise InputError(ROOT, "contains a brace, which Snakemake treats as a wildcard", "Move the project elsewhere")
    for top in ("results", "reports"):
        for path in (Path(directory, top), *(Path(directory, top, machine) for machine in machines)):
            if path.exists() and not path.is_dir():
                raise InputError(path, "is a file where a folder is needed", "Move it away")
