"""C and C++ compilers: finding them, their versions, and the commands that make shared objects."""

import importlib.util
import re
import shutil
import sys
from functools import cache
from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader
from pathlib import Path

from accelbench.processes.kept import ask

VERSION_S = 60  # in which a compiler must have said its version
EXHAUSTED = re.compile("out of memory|virtual memory exhausted|cannot allocate memory|bad_alloc|MemoryError", re.I)
COMPILED = (".c", ".cpp", ".cc", ".cxx")
EXTENSION_SUFFIX = EXTENSION_SUFFIXES[0]


class BuildError(Exception):
    """The message is what a person reads in the manifest's log: the compiler's words, or what is missing."""


def version(config, cplusplus=False):
    """First line of the configured compiler's --version, cached; BuildError where there is no such compiler."""
    key = "cxx" if cplusplus else "cc"
    return version_of(getattr(config, key), key)


@cache
def version_of(command, key):
    """Return the first line of a compiler's --version; `key` is its key in `build`. BuildError where there is none."""
    status, words = ask([locate(command, key), "--version"], VERSION_S)
    if status is None:
        raise BuildError(f"{command} --version says nothing within {VERSION_S} s. Repair it or set build.{key}")
    if status or not words:
        raise BuildError(f"{command} --version failed: {words}. Repair it or set build.{key}")
    return words.splitlines()[0].strip()


@cache
def cpu():
    """The processor as -march=native sees it: model and instruction sets."""
    lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    return sorted({line for line in lines if line.startswith(("model name", "flags", "Features", "CPU part"))})


def run(command, config, **settings):
    """(exit status, output) of a compiler within the configured time and memory, as processes.kept.ask.

    BuildError where it took too long.
    """
    status, words = ask(command, config.timeout_s, memory_bytes=int(config.memory_gb * 1e9), **settings)
    if status is None:
        raise BuildError(f"the compiler was stopped after {config.timeout_s:g} s (build.timeout_s)\n{words}")
    if status and EXHAUSTED.search(words):
        words = f"the compiler ran out of memory: it may fill {config.memory_gb:g} GB (build.memory_gb)\n{words}"
    return status, words


def flags(implementation, config):
    """The configured flags, then the implementation's own. -march=generic takes those out that name a processor."""
    chosen = (*config.cflags, *implementation.flags)
    return tuple(f for f in chosen if not f.startswith("-march=")) if "-march=generic" in chosen else chosen


def compiled(implementation):
    """Its C and C++ sources."""
    return [source for source in implementation.sources if source.endswith(COMPILED)]


def is_cplusplus(source):
    return source.endswith((".cpp", ".cc", ".cxx"))


def shared_object(config, flags, sources, *, output):
    """The command that compiles and links sources, in the language of the first, into one shared object, to run in the
    kernel's folder.

    The same flags serve compiling and linking, as -fopenmp needs. Relative to the folder, messages and recorded
    commands read the same on every machine.
    """
    sources = list(map(str, sources))
    key = "cxx" if is_cplusplus(sources[0]) else "cc"
    compiler = locate(getattr(config, key), key)
    return [compiler, "-shared", "-fPIC", *flags, "-I.", "-o", str(output), *sources, "-lm"]


def import_extension(path):
    """The extension module in the file `path`, initialised; it is not entered in sys.modules, so that extensions of
    the same name built with different flags live side by side in one process. One that enters itself, as f2py's do, is
    taken out again: a kernel's may be called as a module is that others import."""
    name = path.name.split(".")[0]
    before = sys.modules.get(name)
    loader = ExtensionFileLoader(name, str(path))
    try:
        module = importlib.util.module_from_spec(importlib.util.spec_from_file_location(name, path, loader=loader))
        loader.exec_module(module)
    finally:
        sys.modules.pop(name, None)
        if before is not None:
            sys.modules[name] = before
    return module


def locate(command, key):
    """Return the path of a compiler; BuildError where it is missing."""
    found = shutil.which(command)
    if found is None:
        package = "gfortran" if key == "fc" else "build-essential"
        remedy = f"install {command} (Debian, Ubuntu: apt install {package}) or set build.{key}"
        raise BuildError(f"{command} not found: {remedy} in the configuration")
    return str(Path(found).absolute())
