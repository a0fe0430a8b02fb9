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


def named(path):
    """A file as results name it: its path in the project, of one outside its name alone."""
    path = Path(os.path.abspath(path))
    return str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else path.name


def check_places(directory, machines):
    """InputError where Snakemake cannot use the project's path, or where something else lies in `directory` in place of
    a folder of results or reports."""
    if {"{", "}"} & set(str(ROOT)):
        raise InputError(ROOT, "holds a brace, which Snakemake takes for a wildcard", "Move the project elsewhere")
    for top in ("results", "reports"):
        for path in (Path(directory, top), *(Path(directory, top, machine) for machine in machines)):
            if path.exists() and not path.is_dir():
                raise InputError(path, "is a file where a folder is needed", "Move it away")
