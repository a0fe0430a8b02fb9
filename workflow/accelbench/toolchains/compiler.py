"""C and C++ compilers: their paths and versions, and commands that make shared objects."""

import importlib.util
import re
import shutil
import sys
from functools import cache
from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader
from pathlib import Path

from accelbench.environments import paths
from accelbench.errors import Hindrance
from accelbench.processes.supervision import ask, clean_environment

VERSION_S = 60  # Deadline of a compiler's --version, in seconds
EXHAUSTED = re.compile("out of memory|virtual memory exhausted|cannot allocate memory|bad_alloc|MemoryError", re.I)
COMPILED = (".c", ".cpp", ".cc", ".cxx")
HEADERS = (".h", ".hpp", ".cuh")
EXTENSION_SUFFIX = EXTENSION_SUFFIXES[0]
# {name of a compiler, or its key in `build`: Debian packages with it}. Other compilers are in build-essential
PACKAGES = {"fc": "gfortran", "rustc": "rustc", "clang": "clang libomp-dev", "clang++": "clang libomp-dev"}
PROCESSOR = ("-march=", "-mcpu=")  # Beginnings of flags that name a processor; ARM uses -mcpu
ZIG = "zig-cc"  # Command of zig's C compiler, which `make install LOCK=zig` installs


class BuildError(Hindrance):
    """Failure of a build.

    The message is the compiler's output, or says what is missing. The manifest records the message as the log.
    """


def version(config, cplusplus=False):
    """Return the first line of the configured compiler's --version. Raise BuildError if there is no such compiler."""
    key = "cxx" if cplusplus else "cc"
    return version_of(getattr(config, key)[0], key)


@cache
def version_of(command, key):
    """Return the first line of a compiler's --version. Raise BuildError if this command fails.

    key  key of the compiler in `build`, for messages
    """
    status, words = ask([locate(command, key), "--version"], VERSION_S)
    if status is None:
        raise BuildError(f"{command} --version does not end within {VERSION_S} s", f"repair it or set build.{key}")
    if status or not words:
        raise BuildError(f"{command} --version failed: {words}", f"repair it or set build.{key}")
    return words.splitlines()[0].strip()


@cache
def cpu():
    """Return the processor's model and instruction sets, which -march=native depends on."""
    lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    return sorted({line for line in lines if line.startswith(("model name", "flags", "Features", "CPU part"))})


def run(command, config, **settings):
    """Run a compiler within the configured time and memory. Return (exit status, output) as supervision.ask does.

    Raise BuildError if the compiler takes too long or prints too much.
    """
    status, words = ask(command, config.timeout_s, memory_bytes=int(config.memory_gb * 1e9), **settings)
    if status is None:
        raise BuildError(f"the compiler was stopped after {config.timeout_s:g} s (build.timeout_s)\n{words}")
    if status and EXHAUSTED.search(words):
        words = f"the compiler ran out of memory: its limit is {config.memory_gb:g} GB (build.memory_gb)\n{words}"
    return status, words


def output(command, task, problem, *, cwd=None):
    """Run a command of a Task as `run` does, in the kernel's folder or in `cwd`. Return the command's output.

    If the command fails, raise BuildError with a message that begins with `problem`.
    """
    environment = {**clean_environment(), "LC_ALL": "C"}
    status, words = run(command, task.config, cwd=cwd or task.folder, env=environment)
    if status:
        raise BuildError(f"{problem}\n{words}")
    return words


def flags(implementation, config):
    """Return the configured flags, then the implementation's flags.

    If -march=generic is among these flags, leave out flags that name a processor.
    """
    chosen = (*config.cflags, *implementation.flags)
    return tuple(f for f in chosen if not f.startswith(PROCESSOR)) if "-march=generic" in chosen else chosen


def compiled(implementation):
    """Return the C and C++ sources of an implementation."""
    return [source for source in implementation.sources if source.endswith(COMPILED)]


def is_cplusplus(source):
    return source.endswith((".cpp", ".cc", ".cxx"))


def shared_object(config, flags, sources, *, output):
    """Return the command that compiles and links sources into one shared object, in the language of the first source.

    A BuildStep's command runs in the kernel's folder, so that messages and recorded commands are the same on every
    machine. Compiling and linking get the same flags, because -fopenmp concerns both.
    """
    sources = list(map(str, sources))
    key = "cxx" if is_cplusplus(sources[0]) else "cc"
    compiler = locate(getattr(config, key)[0], key)
    refuse_openmp(config, flags)
    return [compiler, "-shared", "-fPIC", *flags, "-I.", "-o", str(output), *sources, "-lm"]


def import_extension(path):
    """Return the initialised extension module in the file `path`, without adding it to sys.modules.

    So one process can load several extensions that have the same name, but differ in flags. Extensions of f2py add
    themselves to sys.modules. This function removes them again, since modules of several kernels may have the same
    name.
    """
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


def opened(path):
    """Return the extension module in a file, or the path as text if the file is no extension of this Python."""
    return import_extension(path) if path.name.endswith(EXTENSION_SUFFIX) else str(path)


def refuse_openmp(config, flags):
    """Raise BuildError if the flags contain -fopenmp and the C compiler is zig, which has no OpenMP runtime."""
    if "-fopenmp" in flags and Path(config.cc[0]).name == ZIG:
        raise BuildError("zig has no OpenMP runtime", "compile it with gcc or clang (build.cc)")


def locate(command, key):
    """Return the path of a compiler on PATH or in zig's environment. Raise BuildError if the compiler is missing."""
    path = shutil.which(command) or shutil.which(command, path=Path(paths.absolute(paths.default_python("zig"))).parent)
    if path is None:
        package = PACKAGES.get(command, PACKAGES.get(key, "build-essential"))
        how = "make install LOCK=zig" if command.startswith("zig-") else f"Debian, Ubuntu: apt install {package}"
        raise BuildError(f"{command} not found", f"install {command} ({how}) or set build.{key} in the configuration")
    return str(Path(path).absolute())
