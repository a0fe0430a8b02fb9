"""Virtual environments that use the running Python's packages, made without a download."""

import os
import sys
import sysconfig
from pathlib import Path


def make(folder, packages=None, first=None, **versions):
    """Make a virtual environment in `folder`; return its Python.

    packages  names of the running Python's packages that are visible there; default: all
    first     a folder of packages that take precedence, also for tools that search only site-packages
    versions  {distribution: version in its metadata there}
    """
    folder = Path(folder)
    (folder / "bin").mkdir(parents=True)
    base = Path(sys._base_executable)
    python = folder / "bin" / "python"
    python.symlink_to(base)
    (folder / "pyvenv.cfg").write_text(f"home = {base.parent}\ninclude-system-site-packages = false\n")
    site = folder / "lib" / f"python{sys.version_info[0]}.{sys.version_info[1]}" / "site-packages"
    site.mkdir(parents=True)
    mine = Path(sysconfig.get_path("purelib"))
    if packages is None:
        (site / "those_of_another.pth").write_text(f"{mine}\n")
    for path in Path(first).iterdir() if first else ():
        (site / path.name).symlink_to(path)
    for name in packages or ():
        for path in (*mine.glob(name), *mine.glob(f"{name}.libs"), *mine.glob(f"{name}-*.dist-info")):
            (site / path.name).symlink_to(path)
    for name, version in versions.items():
        about = site / f"{name}-{version}.dist-info"
        about.mkdir()
        (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    return str(python)


def pretend(file, answer):
    """Make `file` a command that prints `answer` for any arguments. Return the path of `file`."""
    file.write_text(f"#!/bin/sh\ncat <<'END'\n{answer}\nEND\n")
    file.chmod(0o755)
    return os.fspath(file)
