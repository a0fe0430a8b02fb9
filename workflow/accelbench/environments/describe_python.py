"""Print a description of the Python that runs this file, as JSON: `PYTHON describe_python.py`.

This file needs no package, and its syntax also works in Pythons that are too old for workers.
"""

import json
import os
import platform
import re
import sys
import sysconfig


def main():
    del sys.path[0]  # this file's folder, so that its modules are not imported
    print(json.dumps(describe()))


def describe():
    """Return the fields of an Interpreter for this Python, except lock, digest and path."""
    names = packages()
    return {
        "version": platform.python_version() + ("t" if sysconfig.get_config_var("Py_GIL_DISABLED") else ""),
        "implementation": platform.python_implementation(),
        "prefix": sys.prefix,
        "include": sysconfig.get_path("include"),
        "extension_suffix": sysconfig.get_config_var("EXT_SUFFIX"),
        "packages": {name: names[name] for name in sorted(names)},
        "numpy_fails": numpy_fails() if "numpy" in names else None,
    }


def packages():
    """Return {name: version} of every installed distribution, from the names of *.dist-info and *.egg-info folders.

    If sys.path has several versions of a distribution, the first version counts.
    """
    versions = {}
    for folder in reversed(sys.path):
        for name in os.listdir(folder) if os.path.isdir(folder) else ():
            match = re.match(r"(.+?)-(\d[^-]*)(?:-[^/]*)?\.(?:dist|egg)-info$", name)
            if match:
                versions[re.sub(r"[-_.]+", "-", match.group(1)).lower()] = match.group(2)
    return versions


def numpy_fails():
    """Return the reason why importing NumPy fails, or None.

    The reason is the exception's first cause, since NumPy's own message is long.
    """
    try:
        import numpy  # noqa: F401
    except Exception as error:
        while error.__cause__ is not None:
            error = error.__cause__
        return type(error).__name__ + ": " + " ".join(str(error).split())
    return None


if __name__ == "__main__":
    main()
