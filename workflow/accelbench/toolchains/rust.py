"""Toolchain "rust": build a shared library from each Rust source, for use with ctypes or CFFI's dlopen."""

import platform

from accelbench.toolchains import compiler, contract

TOOLCHAIN = "rust"
SUFFIXES = (".rs",)


def version(implementation, config, device=None):
    return compiler.version_of(config.rustc, "rustc")


def flags(implementation, config):
    """Return rustc's flags: the optimisation level, the target processor, and the implementation's other flags.

    The processor comes from the C flags of the configuration and the implementation. On ARM, the C flag -mcpu names the
    processor. -march names an architecture there, except in -march=native.
    """
    named = ("-mcpu=", "-march=native") if platform.machine() == "aarch64" else "-march="
    target = [flag for flag in compiler.flags(implementation, config) if flag.startswith(named)]
    options = [flag for flag in implementation.flags if not flag.startswith(compiler.PROCESSOR)]
    return ("-Copt-level=3", *(f"-Ctarget-cpu={flag.partition('=')[2].partition('+')[0]}" for flag in target), *options)


def step(task, folder):
    """Return the BuildStep of a source. rustc links with the configured C compiler."""
    library = task.source.removesuffix(".rs") + ".so"
    command = [
        *(compiler.locate(task.config.rustc, "rustc"), "--edition=2021", "--crate-type=cdylib", "-Cstrip=debuginfo"),
        *flags(task.implementation, task.config),
        f"-Clinker={compiler.locate(task.config.cc[0], 'cc')}",
    ]
    return contract.BuildStep([*command, "-o", str(folder / library), task.source], library)
