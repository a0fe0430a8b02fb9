"""A toolchain's module as the builder asks it: what it cannot answer is said with its name, never as a traceback."""

import re
from pathlib import Path

from accelbench import discovery
from accelbench.errors import InputError
from accelbench.toolchains.compiler import BuildError
from accelbench.toolchains.task import Step

EXPLAINED = "the docstring of accelbench/toolchains/__init__.py says what a toolchain holds"


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
        lambda answer: isinstance(answer, Step) and _strings(answer.arguments) and isinstance(answer.artifact, str),
        'a Step(["compiler", "argument", ...], "name of the artefact")',
    ),
    "open": (lambda answer: answer is not None, "what case.artifact(source) is to an implementation"),
}


class Toolchain:
    """A toolchain: its functions as the package's docstring says, InputError where one returns something else."""

    def __init__(self, module):
        self._module = module
        self.__file__, self.PER_DEVICE, self.SUFFIXES = module.__file__, module.PER_DEVICE, module.SUFFIXES

    def __getattr__(self, function):
        if function not in ANSWERS:
            raise AttributeError(function)

        def ask(*arguments):
            fits, expected = ANSWERS[function]
            try:
                answer = getattr(self._module, function)(*arguments)
            except (BuildError, InputError, OSError, NotImplementedError):
                raise
            except Exception as error:
                where = discovery.place(self._module.__file__, error)
                what = f"{function} failed: {type(error).__name__}: {error}"
                raise InputError(where, what, f"It returns {expected}; {EXPLAINED}") from error
            if not fits(answer):
                where = discovery.shown(self._module.__file__)
                raise InputError(where, f"{function} returned {answer!r:.80}", f"It returns {expected}; {EXPLAINED}")
            return answer

        return ask


class StandIn:
    """Takes the place of a toolchain's module that cannot be used: it builds nothing, for the reason `problem`."""

    __file__ = __file__
    PER_DEVICE, SUFFIXES = False, ()

    def __init__(self, name, text, problem):
        declared = re.search(r"""^TOOLCHAIN\s*=\s*["'](\w+)["']""", text, re.MULTILINE)
        self.TOOLCHAIN, self.problem = declared[1] if declared else name, problem

    def built(self, implementation):
        return implementation.sources

    def files(self, implementation, source):
        return [implementation.path.parent / source]

    def flags(self, implementation, config):
        return ()

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
    missing = [function for function in ANSWERS if not callable(getattr(module, function, None))]
    if missing:
        wrong(f"the function {missing[0]} is missing", f"Add {', '.join(missing)}")
    if not isinstance(getattr(module, "PER_DEVICE", None), bool):
        wrong("PER_DEVICE is missing", "Write PER_DEVICE = False where one artefact serves every device, else True")
    suffixes = getattr(module, "SUFFIXES", None)
    if not isinstance(suffixes, tuple) or not all(isinstance(s, str) and s.startswith(".") for s in suffixes):
        wrong(f"SUFFIXES = {suffixes!r}", 'Write a tuple of the endings of its sources, SUFFIXES = (".c", ".h")')
    return True
