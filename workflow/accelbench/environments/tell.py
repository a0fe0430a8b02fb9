"""What a Python tells of itself, as JSON: `PYTHON tell.py`. Started by its file, without a package, and in no syntax
that a Python older than workers need would stumble over."""

import json
import os
import platform
import re
import sys
import sysconfig


def main():
    del sys.path[0]  # this file's folder
    names = packages()
    print(
        json.dumps(
            {
                "version": platform.python_version() + ("t" if sysconfig.get_config_var("Py_GIL_DISABLED") else ""),
                "implementation": platform.python_implementation(),
                "prefix": sys.prefix,
                "include": sysconfig.get_path("include"),
                "extension_suffix": sysconfig.get_config_var("EXT_SUFFIX"),
                "packages": {name: names[name] for name in sorted(names)},
                "numpy_fails": numpy_fails() if "numpy" in names else None,
            }
        )
    )


def packages():
    """{name: version} of every installed distribution, by the names of *.dist-info; what is imported first counts."""
    found = {}
    for folder in reversed(sys.path):
        for name in os.listdir(folder) if os.path.isdir(folder) else ():
            match = re.match(r"(.+?)-(\d[^-]*)(?:-[^/]*)?\.(?:dist|egg)-info$", name)
            if match:
                found[re.sub(r"[-_.]+", "-", match.group(1)).lower()] = match.group(2)
    return found


def numpy_fails():
    """Why importing NumPy fails, None where it does not. What it raises itself is a page of advice for all cases."""
    try:
        import numpy  # noqa: F401
    except Exception as error:
        while error.__cause__ is not None:
            error = error.__cause__
        return type(error).__name__ + ": " + " ".join(str(error).split())
    return None


if __name__ == "__main__":
    main()
