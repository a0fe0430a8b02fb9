"""Toolchain "c": build a shared library from each C or C++ source, for use with ctypes or CFFI's dlopen."""

from accelbench.toolchains import compiler, contract

TOOLCHAIN = "c"
SUFFIXES = (*compiler.COMPILED, ".h", ".hpp")


def version(implementation, config, device=None):
    languages = sorted({compiler.is_cplusplus(source) for source in compiler.compiled(implementation)})
    return ", ".join(compiler.version(config, cplusplus) for cplusplus in languages)


def step(task, folder):
    """Return the BuildStep of a source.

    With -z defs, the build fails if a symbol is undefined. Otherwise the worker that opens the library would fail.
    """
    name = task.source.rsplit(".", 1)[0] + ".so"
    compile_flags = [*compiler.flags(task.implementation, task.config), "-Wl,-z,defs"]
    return contract.BuildStep(
        compiler.shared_object(task.config, compile_flags, [task.source], output=folder / name), name
    )
