"""What passes between the builder and a toolchain, Task and BuildStep, and a toolchain's module as the builder asks it:
what it cannot answer is said with its name, never as a traceback."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from accelbench import discovery
from accelbench.errors import InputError
from accelbench.model.device import Device
from accelbench.toolchains import compiler
from accelbench.toolchains.compiler import BuildError

EXPLAINED = "the docstring of accelbench/toolchains/__init__.py says what a toolchain holds"


@dataclass(frozen=True)
class Task:
    """One artefact to build.

    implementation, config: a kernels.implementation.Implementation and a config.Build, which toolchains do not import
    device    the Device, for toolchains that build for each device
    compiler  name and version of what compiles it
    shared    folder that all kernels of a machine have in common, for what is worth building only once
    """

    implementation: Any
    source: str
    device: Device | None
    config: Any
    compiler: str
    shared: Path

    @property
    def names(self):
        """What the artefact is for, as an Artifact has it."""
        device = self.device and self.device.name
        return {"implementation": self.implementation.name, "source": self.source, "device": device}

    @property
    def folder(self):
        """The kernel's folder."""
        return self.implementation.path.parent


@dataclass(frozen=True)
class BuildStep:
    """The command that leaves the file `artifact` in the output folder; it is run in the kernel's folder.

    page         file name of an annotated listing, where there is one
    before       the translation already done, as the command a person would type
    environment  variables beside the inherited ones
    """

    arguments: list[str]
    artifact: str
    page: str | None = None
    before: str | None = None
    environment: dict[str, str] = field(default_factory=dict)


def _strings(answer):
    return isinstance(answer, (list, tuple)) and all(isinstance(part, str) for part in answer)


# {function: (whether an answer can be used, what it returns)}
ANSWERS = {
    "built": (_strings, "a list of those names in implementation.sources that it builds"),
    "files": (
        lambda answer: isinstance(answer, list) and all(isinstance(file, Path) and file.is_file() for file in answer),
        "a list of the Paths of files that are there",
    ),
    "flags": (_strings, "a list of strings"),
    "version": (lambda answer: isinstance(answer, str), "the compiler's name and version, or raises BuildError"),
    "step": (
        lambda answer: (
            isinstance(answer, BuildStep) and _strings(answer.arguments) and isinstance(answer.artifact, str)
        ),
        'a BuildStep(["compiler", "argument", ...], "name of the artefact")',
    ),
    "open": (lambda answer: answer is not None, "what case.artifact(source) is to an implementation"),
}


# What a module need not write.
DEFAULTS = {
    "files": lambda implementation, source: [implementation.path.parent / source],
    "flags": compiler.flags,
    "open": str,
}


class Toolchain:
    """A toolchain: its functions as the package's docstring says, InputError where one returns something else."""

    built: Callable[..., list[str]]

    def __init__(self, module):
        self.__file__, self.SUFFIXES = module.__file__, module.SUFFIXES
        self.PER_DEVICE = getattr(module, "PER_DEVICE", False)
        for name in ANSWERS:
            setattr(self, name, partial(_ask, module, name))


def _ask(module, name, *arguments):
    fits, expected = ANSWERS[name]
    remedy = f"It returns {expected}; {EXPLAINED}"
    try:
        answer = getattr(module, name, DEFAULTS.get(name))(*arguments)
    except (BuildError, InputError, OSError, NotImplementedError):
        raise
    except Exception as error:
        what = f"{name} failed: {type(error).__name__}: {error}"
        raise InputError(discovery.place(module.__file__, error), what, remedy) from error
    if not fits(answer):
        raise InputError(discovery.shown(module.__file__), f"{name} returned {answer!r:.80}", remedy)
    return answer


class BrokenToolchain:
    """Takes the place of a toolchain's module that cannot be used: it builds nothing, for the reason `problem`."""

    __file__ = __file__
    SUFFIXES = ()

    def __init__(self, name, text, problem):
        declared = re.search(r"""^TOOLCHAIN\s*=\s*["'](\w+)["']""", text, re.MULTILINE)
        self.TOOLCHAIN, self.problem = declared[1] if declared else name, problem

    def built(self, implementation):
        return implementation.sources

    def version(self, implementation, config, device):
        raise BuildError(self.problem)


def check(module, file):
    """Whether a module is a toolchain at all; InputError, naming `file`, where it is one that cannot be used."""

    def wrong(what, remedy):
        raise InputError(file, what, f"{remedy}; {EXPLAINED}")

    name = getattr(module, "TOOLCHAIN", None)
    if name is None and not (hasattr(module, "step") and hasattr(module, "built")):
        return False
    if not isinstance(name, str) or not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        wrong(f"TOOLCHAIN = {name!r}" if name else "TOOLCHAIN is missing", 'Write its name, TOOLCHAIN = "name"')
    missing = [name for name in ANSWERS if not callable(getattr(module, name, DEFAULTS.get(name)))]
    if missing:
        wrong(f"the function {missing[0]} is missing", f"Add {', '.join(missing)}")
    if not isinstance(getattr(module, "PER_DEVICE", False), bool):
        wrong(f"PER_DEVICE = {module.PER_DEVICE!r}", "Write True where each device has an artefact, else nothing")
    suffixes = getattr(module, "SUFFIXES", None)
    if not isinstance(suffixes, tuple) or not all(isinstance(s, str) and s.startswith(".") for s in suffixes):
        wrong(f"SUFFIXES = {suffixes!r}", 'Write a tuple of the endings of its sources, SUFFIXES = (".c", ".h")')
    return True
