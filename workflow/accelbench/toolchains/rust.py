"""Toolchain "rust": every Rust source a shared library, opened with ctypes or CFFI's dlopen."""

from accelbench.toolchains import compiler
from accelbench.toolchains.contract import BuildStep

TOOLCHAIN = "rust"
SUFFIXES = (".rs",)


def version(implementation, config, device=None):
    return compiler.version_of(config.rustc, "rustc")


def flags(implementation, config):
    """Return rustc's flags. The configured flags are C's: only their -march counts, as the target processor."""
    march = [flag for flag in compiler.flags(implementation, config) if flag.startswith("-march=")]
    own = [flag for flag in implementation.flags if not flag.startswith("-march=")]
    return ("-Copt-level=3", *(flag.replace("-march=", "-Ctarget-cpu=") for flag in march), *own)


def step(task, folder):
    """Return the BuildStep of a source. rustc links with the configured C compiler."""
    library = task.source.removesuffix(".rs") + ".so"
    command = [
        *(compiler.locate(task.config.rustc, "rustc"), "--edition=2021", "--crate-type=cdylib", "-Cstrip=debuginfo"),
        *flags(task.implementation, task.config),
        f"-Clinker={compiler.locate(task.config.cc[0], 'cc')}",
    ]
    return BuildStep([*command, "-o", str(folder / library), task.source], library)
