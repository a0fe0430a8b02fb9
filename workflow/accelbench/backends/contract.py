"""Check of the names that a backend's module must define, and of the types of their values.

The docstring of accelbench.backends describes these names. The check precedes all measurements. It skips several
methods and constants of a Session for which OpenDevice has a default, such as `update` and `RESULTS`.
"""

import re
from collections.abc import Callable
from pathlib import Path

from accelbench import toolchains
from accelbench.discovery import Contract
from accelbench.errors import InputError
from accelbench.model.device import Device
from accelbench.model.limits import fits
from accelbench.model.names import NAME, WORD

CONTRACT = Contract(
    "the docstring of accelbench/backends/__init__.py lists what a backend must define",
    {"probe": (list[Device], "a list of Device, or raises Unavailable(problem, remedy)")},
)
METHODS = (
    *("load", "empty", "poison", "release", "copy_in", "copy_out", "intact"),
    *("synchronise", "wait", "timers", "flush_cache", "settings", "variables"),
)
CONSTANTS = ("ON_HOST", "OUT_OF_MEMORY", "PINNED")


class BrokenBackend:
    """Stand-in for a backend module that cannot be used. The attribute `problem` is the reason."""

    __file__ = __file__

    def __init__(self, name, text, problem):
        declared = re.search(r"^BACKENDS\s*=\s*\{(.*?)\}", text, re.MULTILINE | re.DOTALL)
        names = re.findall(r"""["'](\w+)["']\s*:""", declared[1]) if declared else []
        self.BACKENDS = dict.fromkeys(names or [name])
        self.PACKAGES = dict.fromkeys(self.BACKENDS, ())
        self.problem = problem


def check(module, file):
    """Return whether a module defines backends. Raise InputError, which names `file`, if a definition is invalid."""
    if not any(hasattr(module, name) for name in ("BACKENDS", "PACKAGES", "probe")):
        return False
    name, several = Path(file).stem, tuple[str, ...] | list[str]
    attributes = {
        "BACKENDS": (
            lambda served: fits(served, dict[str, str | None]) and served and all(map(NAME.match, served)),
            f'Write the name of each backend and its toolchain or None: BACKENDS = {{"{name}": None}}',
        ),
        "PACKAGES": (
            lambda packages: fits(packages, dict[str, several]) and module.BACKENDS.keys() <= packages.keys(),
            f'Write a tuple of strings for each backend: PACKAGES = {{"{name}": ("{name}",)}}',
        ),
        "ENVIRONMENT": (
            lambda locks: (
                locks is None
                or all(
                    isinstance(lock, str) and re.fullmatch(WORD, lock)
                    for lock in (locks.values() if isinstance(locks, dict) else [locks])
                )
            ),
            'Write the name of the lock file in envs/ that installs the library: ENVIRONMENT = "jax"',
        ),
        "FILES_OF": (
            str | None,
            'Write the name of the backend whose implementations this one also runs: FILES_OF = "numba_cuda"',
        ),
        "probe": (Callable, "Write probe(backend), which returns a list of Device"),
        "once": (Callable | None, "Write once(device, folder), or leave it out"),
        "Session": (type, "Write class Session(OpenDevice), or use host.Session"),
    }
    CONTRACT.check(module, file, attributes)
    for backend, toolchain in module.BACKENDS.items():
        if toolchain not in (None, *toolchains.modules()):
            remedy = f"Use one of {', '.join(toolchains.modules())}, or None, for {backend!r}; {CONTRACT.explained}"
            raise InputError(file, f"BACKENDS: there is no toolchain {toolchain!r}", remedy)
    pinned = ("pinned",) if getattr(module.Session, "PINNED", False) else ()
    if missing := [name for name in (*METHODS, *CONSTANTS, *pinned) if not hasattr(module.Session, name)]:
        remedy = f"Add them, or derive Session from host.Session or OpenDevice; {CONTRACT.explained}"
        raise InputError(file, f"Session lacks {', '.join(missing)}", remedy)
    return True
