"""Task and BuildStep, the input and output of a toolchain's `step`, and the checks of a toolchain's module."""

import fcntl
import re
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from accelbench import discovery
from accelbench.errors import InputError
from accelbench.model.device import Device
from accelbench.model.limits import fits
from accelbench.toolchains import compiler


@dataclass(frozen=True)
class Task:
    """One artifact to build.

    implementation  a kernels.implementation.Implementation; its type is Any, since this package does not import it
    config          a config.Build, which this package does not import either
    device          the Device, for toolchains that build a separate artifact for each device
    compiler        name and version of the compiler
    shared          folder for code that is built once and that all kernels of a machine share
    """

    implementation: Any
    source: str
    device: Device | None
    config: Any
    compiler: str
    shared: Path

    @property
    def names(self):
        """Return the fields that identify the Artifact: implementation, source and name of the device."""
        device = self.device and self.device.name
        return {"implementation": self.implementation.name, "source": self.source, "device": device}

    @property
    def folder(self):
        """Return the kernel's folder."""
        return self.implementation.path.parent

    def once(self, name, make):
        """Return the path of the file `name` in `shared`. If the file is missing, call make(path) to write it.

        While make(path) runs, other builds that need a file in `shared` wait for a lock.
        """
        target = self.shared / name
        self.shared.mkdir(parents=True, exist_ok=True)
        with (self.shared / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not target.is_file():
                with tempfile.TemporaryDirectory(dir=self.shared, prefix=".building-") as folder:
                    make(Path(folder, name))
                    Path(folder, name).replace(target)
        return target


@dataclass(frozen=True)
class BuildStep:
    """The command that makes the file `artifact` in the `folder` of `step`. The command runs in the kernel's folder.

    page         file name of an annotated listing of the source, or None
    before       commands that `step` has run, such as Cython's translation, as a person would type them; or None
    environment  environment variables of the command, in addition to the inherited variables
    """

    arguments: list[str]
    artifact: str
    page: str | None = None
    before: str | None = None
    environment: dict[str, str] = field(default_factory=dict)


STRINGS = list[str] | tuple[str, ...]
CONTRACT = discovery.Contract(
    "the docstring of accelbench/toolchains/__init__.py lists what a toolchain must define",
    {
        "built": (STRINGS, "a list of those names in implementation.sources that the toolchain builds"),
        "files": (
            lambda answer, *_: isinstance(answer, list) and all(isinstance(f, Path) and f.is_file() for f in answer),
            "a list of the Paths of existing files",
        ),
        "flags": (STRINGS, "a list of strings"),
        "version": (str, "the compiler's name and version, or raises BuildError"),
        "step": (
            lambda answer, *_: (
                isinstance(answer, BuildStep) and fits(answer.arguments, STRINGS) and isinstance(answer.artifact, str)
            ),
            'a BuildStep(["compiler", "argument", ...], "name of the artifact")',
        ),
        "open": (lambda answer, *_: answer is not None, "the value of case.artifact(source)"),
    },
)
# {name: default} of functions that a toolchain's module need not define
DEFAULTS = {
    "files": lambda implementation, source: [implementation.path.parent / source],
    "flags": compiler.flags,
    "open": compiler.opened,
}


class Toolchain:
    """A wrapper that adds defaults and checks to a toolchain's module.

    If a function of the module fails unexpectedly or returns an invalid value, the wrapper raises an InputError that
    names the module.
    """

    built: Callable[..., list[str]]

    def __init__(self, module):
        self.__file__, self.SUFFIXES = module.__file__, module.SUFFIXES
        self.PER_DEVICE = getattr(module, "PER_DEVICE", False)
        defaults = DEFAULTS | {"built": partial(_built, module.SUFFIXES)}
        for name in CONTRACT.answers:
            setattr(self, name, partial(_ask, module, name, getattr(module, name, defaults.get(name))))


def _built(suffixes, implementation):
    return [s for s in implementation.sources if s.endswith(suffixes) and not s.endswith(compiler.HEADERS)]


def _ask(module, name, function, /, *arguments):
    try:
        return CONTRACT.ask(module, name, function, *arguments)
    except (compiler.BuildError, InputError, OSError, NotImplementedError):
        raise
    except Exception as error:
        mistake = CONTRACT.mistake(module, f"{name} failed: {type(error).__name__}: {error}", CONTRACT.answers[name][1])
        raise InputError(discovery.place(module.__file__, error), mistake.problem, mistake.remedy) from error


class BrokenToolchain:
    """Stand-in for a toolchain whose module cannot be used. All builds fail with the message `problem`."""

    __file__ = __file__
    SUFFIXES = ()

    def __init__(self, name, text, problem):
        declared = re.search(r"""^TOOLCHAIN\s*=\s*["'](\w+)["']""", text, re.MULTILINE)
        self.TOOLCHAIN, self.problem = declared[1] if declared else name, problem

    def built(self, implementation):
        return implementation.sources

    def version(self, implementation, config, device):
        raise compiler.BuildError(self.problem)


def check(module, file):
    """Return whether a module defines a toolchain. Raise InputError, which names `file`, if a definition is invalid."""
    if not (hasattr(module, "TOOLCHAIN") or hasattr(module, "step")):
        return False
    attributes = {
        "TOOLCHAIN": (
            lambda name: isinstance(name, str) and re.fullmatch(r"[a-z][a-z0-9_]*", name),
            'Write its name, TOOLCHAIN = "name"',
        ),
        **{name: (Callable, f"Add the function {name}") for name in ("version", "step")},
        "PER_DEVICE": (bool | None, "Write True if each device needs a separate artifact, or remove it"),
        "SUFFIXES": (
            lambda suffixes: fits(suffixes, tuple[str, ...]) and all(s.startswith(".") for s in suffixes),
            'Write a tuple of the endings of its sources, SUFFIXES = (".c", ".h")',
        ),
    }
    CONTRACT.check(module, file, attributes)
    return True
