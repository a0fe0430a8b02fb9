"""Toolchain "pythran": build an extension module from a Python file with `# pythran export` lines.

Pythran's own command writes C++ code, which setuptools compiles. The compiler gets the default flags of setuptools,
then the configured flags, then the implementation's flags. Even a source of one line takes 3 s of a core. The command
ignores the user's .pythranrc. BLAS comes from the wheel scipy-openblas64.
"""

import os
from pathlib import Path

from accelbench.environments import interpreter
from accelbench.toolchains import compiler, contract

TOOLCHAIN = "pythran"
SUFFIXES = ()  # Empty, since sources are Python files, which include no other files


def built(implementation):
    return [source for source in implementation.sources if source.endswith(".py")]


def version(implementation, config, device=None):
    return f"{compiler.version(config, cplusplus=True)}, {interpreter.version(implementation, 'pythran', 'numpy')}"


def step(task, folder):
    python = interpreter.read(task.implementation.python)
    artifact = Path(task.source).stem + python.extension_suffix
    chosen = ["--config", "compiler.blas=scipy-openblas", *compiler.flags(task.implementation, task.config)]
    arguments = [python.path, "-W", "ignore", "-m", "pythran.run", *chosen, "-o", str(folder / artifact), task.source]
    compiler.refuse_openmp(task.config, chosen)
    compilers = {"CC": compiler.locate(task.config.cc[0], "cc"), "CXX": compiler.locate(task.config.cxx[0], "cxx")}
    environment = {**compilers, "PYTHRANRC": os.devnull, "PYTHONSAFEPATH": "1", "TMPDIR": str(folder / "work")}
    return contract.BuildStep(arguments, artifact, environment=environment)
