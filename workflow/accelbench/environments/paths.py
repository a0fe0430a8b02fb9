"""Paths of environments: where a lock puts its Python, and how messages name a Python."""

import os
from pathlib import Path

from accelbench import project


def has_lock(name):
    """Return whether `make install LOCK=<name>` makes an environment of that name."""
    return (project.ROOT / "envs" / f"{name}.lock").is_file()


def default_python(name):
    """Return where `make install LOCK=<name>` puts the Python of an environment, relative to the project's folder."""
    return f".venv-{name}/bin/python"


def absolute(python):
    """Return the absolute path of a Python in a configuration. A link stays one, as virtual environments need."""
    return os.path.abspath(project.ROOT / project.at_home(python))


def shown(python):
    """Return a path as a person writes it in a configuration: relative to the project's folder or to home if possible.

    Results are read by other people, who need not know the folders above.
    """
    for folder, start in ((project.ROOT, ""), (os.path.expanduser("~"), "~/")):
        if Path(python).is_relative_to(folder):
            return start + str(Path(python).relative_to(folder))
    return str(python)
