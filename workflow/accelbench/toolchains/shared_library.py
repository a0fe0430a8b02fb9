"""Toolchain "c": every C or C++ source a shared library, opened with ctypes or CFFI's dlopen."""

from accelbench.toolchains import compiler
from accelbench.toolchains.task import Step

TOOLCHAIN = "c"
SUFFIXES = (*compiler.COMPILED, ".h", ".hpp")
PER_DEVICE = False


def built(implementation):
    return [source for source in implementation.sources if source.endswith(compiler.COMPILED)]


def files(implementation, source):
    return [implementation.path.parent / source]


def flags(implementation, config):
    return (*config.cflags, *implementation.flags)


def version(implementation, config, device=None):
    languages = sorted({compiler.is_cplusplus(source) for source in built(implementation)})
    return ", ".join(compiler.version(config, cplusplus) for cplusplus in languages)


def step(task, folder):
    """A library with an undefined symbol would fail only when loaded; -z defs makes the linker name the symbol."""
    name = task.source.rsplit(".", 1)[0] + ".so"
    compile_flags = [*flags(task.implementation, task.config), "-Wl,-z,defs"]
    cplusplus = compiler.is_cplusplus(task.source)
    return Step(compiler.shared_object(task.config, compile_flags, [task.source], folder / name, cplusplus), name)


def open(path):
    return str(path)
