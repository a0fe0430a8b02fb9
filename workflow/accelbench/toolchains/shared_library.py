"""Toolchain "c": every C or C++ source a shared library, opened with ctypes or CFFI's dlopen."""

from accelbench.toolchains import compiler
from accelbench.toolchains.contract import BuildStep

TOOLCHAIN = "c"
SUFFIXES = (*compiler.COMPILED, ".h", ".hpp")


def version(implementation, config, device=None):
    languages = sorted({compiler.is_cplusplus(source) for source in compiler.compiled(implementation)})
    return ", ".join(compiler.version(config, cplusplus) for cplusplus in languages)


def step(task, folder):
    """A library with an undefined symbol would fail only when loaded; -z defs makes the linker name the symbol."""
    name = task.source.rsplit(".", 1)[0] + ".so"
    compile_flags = [*compiler.flags(task.implementation, task.config), "-Wl,-z,defs"]
    return BuildStep(compiler.shared_object(task.config, compile_flags, [task.source], output=folder / name), name)
