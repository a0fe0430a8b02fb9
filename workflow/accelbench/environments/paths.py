"""Paths of environments: the Python that a lock installs, and names of Pythons in messages."""

import os
from pathlib import Path

from accelbench import project


def has_lock(name):
    """Return whether `make install LOCK=<name>` makes an environment of that name."""
    return (project.ROOT / "envs" / f"{name}.lock").is_file()


def default_python(name):
    """Return the path of the Python that `make install LOCK=<name>` installs, relative to the project's folder."""
    return f".venv-{name}/bin/python"


def absolute(python):
    """Return the absolute path of a Python in a configuration.

    Symbolic links are not resolved, since the Python of a virtual environment is a link.
    """
    return os.path.abspath(project.ROOT / project.at_home(python))


def shown(python):
    """Return a path relative to the project's folder or to the home folder, if possible, as users write it.

    Other people read the results, and need not know where the project's folder and the home folder are.
    """
    for folder, start in ((project.ROOT, ""), (os.path.expanduser("~"), "~/")):
        if Path(python).is_relative_to(folder):
            return start + str(Path(python).relative_to(folder))
    return str(python)
