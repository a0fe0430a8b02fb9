"""Toolchain "nanobind": build an extension module from a C++ file with an NB_MODULE and the C sources that it calls.

nanobind's own code is compiled once per machine, which takes 4 s of a core. Building a module then takes 0.6 s.
"""

import shlex
from functools import partial
from pathlib import Path

from accelbench.environments import interpreter
from accelbench.store.files import digest
from accelbench.toolchains import compiler, contract

TOOLCHAIN = "nanobind"
SUFFIXES = (*compiler.COMPILED, ".h", ".hpp")

# Flags from nanobind's own CMake rules
_CPLUSPLUS = ("-std=c++17", "-fvisibility=hidden")
_LIBRARY = ("-O3", "-fno-strict-aliasing", "-DNDEBUG", "-DNB_COMPACT_ASSERTIONS")


def built(implementation):
    """Return [the first source], which has the NB_MODULE, or [] if it is not C++. Other sources are linked to it."""
    return [source for source in implementation.sources[:1] if compiler.is_cplusplus(source)]


def files(implementation, source):
    """Return all C and C++ sources if `source` has the NB_MODULE, since all are linked. Otherwise return `source`."""
    sources = compiler.compiled(implementation) if source in built(implementation) else [source]
    return [implementation.path.parent / name for name in sources]


def version(implementation, config, device=None):
    languages = sorted({compiler.is_cplusplus(source) for source in compiler.compiled(implementation)}, reverse=True)
    compilers = [compiler.version(config, cplusplus) for cplusplus in languages]
    return ", ".join([*compilers, interpreter.version(implementation, TOOLCHAIN)])


def step(task, folder):
    includes, work = _includes(task), folder / "work"
    chosen = compiler.flags(task.implementation, task.config)
    sources = compiler.compiled(task.implementation)[1:]
    objects = [work / f"{source}.o" for source in sources]
    commands = [
        _compile(task, chosen, source, output=output, cwd=task.folder)
        for source, output in zip(sources, objects, strict=True)
    ]
    # nanobind's own code is compiled once for each version of the compiler and of nanobind.
    versions = compiler.version(task.config, cplusplus=True), interpreter.version(task.implementation, TOOLCHAIN)
    library = f"accelbench_nanobind_{digest(_LIBRARY, versions)[:8]}.o"
    (work / "nanobind.o").symlink_to(task.once(library, partial(_make_library, task, includes)))
    artifact = Path(task.source).stem + interpreter.read(task.implementation.python).extension_suffix
    arguments = compiler.shared_object(
        task.config,
        [*_CPLUSPLUS, *chosen, *includes],
        [task.source, *objects, work / "nanobind.o"],
        output=folder / artifact,
    )
    return contract.BuildStep(arguments, artifact, before=" && ".join(commands).replace(f"{folder}/", "") or None)


def _includes(task):
    """Return the -I flags for the headers of nanobind, its hash table and Python."""
    command = [interpreter.read(task.implementation.python).path, "-m", "nanobind", "--include_dir"]
    printed = compiler.output(command, task, "nanobind does not print the folder of its headers")
    package = Path(printed.splitlines()[-1]).parent
    return [f"-I{package}/include", f"-I{package}/ext/robin_map/include", interpreter.include_flag(task.implementation)]


def _make_library(task, includes, output):
    """Compile nanobind's own code."""
    source = Path(includes[0].removeprefix("-I")).parent / "src" / "nb_combined.cpp"
    _compile(task, [*_CPLUSPLUS, *_LIBRARY, *includes], source, output=output, cwd=output.parent)


def _compile(task, flags, source, *, output, cwd):
    """Compile one C or C++ source to an object file. Return the command. Raise BuildError if the command fails."""
    command = compiler.shared_object(task.config, flags, [source], output=output)
    command[command.index("-shared")] = "-c"
    compiler.output(command, task, f"{source} does not compile", cwd=cwd)
    return shlex.join([Path(command[0]).name, *command[1:]])
