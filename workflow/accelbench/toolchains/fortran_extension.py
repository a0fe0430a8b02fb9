"""Toolchain "f2py": build an extension module from a Fortran source and the wrapper that NumPy's f2py writes.

This toolchain calls the compiler directly, which takes 0.8 s of a core per module. f2py with Meson would take 1.8 s.
"""

from pathlib import Path

from accelbench.environments import interpreter
from accelbench.toolchains import compiler, contract

TOOLCHAIN = "f2py"
SUFFIXES = (".f90",)

_INCLUDES = "import numpy, numpy.f2py as f2py; print(f2py.get_include(), numpy.get_include(), sep='\\n')"
_ONE_LINE = "-fno-diagnostics-show-caret"  # Flag for messages on one line: "saxpy.f90:3:8: Error: ..."


def version(implementation, config, device=None):
    return f"{compiler.version_of(config.fc, 'fc')}, {interpreter.version(implementation, 'numpy')}"


def step(task, folder):
    python, work, stem = interpreter.read(task.implementation.python), folder / "work", Path(task.source).stem
    failure = f"{task.source}: f2py cannot read it"
    translation = [python.path, "-m", "numpy.f2py", task.source, "-m", stem, "--build-dir", str(work)]
    compiler.output(translation, task, failure)
    module = work / f"{stem}module.c"
    if not module.is_file():
        raise compiler.BuildError(f"{task.source}: f2py finds no subroutine and no function in it")
    includes = compiler.output([python.path, "-c", _INCLUDES], task, failure).splitlines()[-2:]
    wrappers = sorted(map(str, work.glob(f"{stem}-f2pywrappers*")))
    flags = [*compiler.flags(task.implementation, task.config), _ONE_LINE, "-J", str(work)]
    flags += [*(f"-I{path}" for path in includes), interpreter.include_flag(task.implementation)]
    artifact = stem + python.extension_suffix
    sources = [task.source, *wrappers, str(module), f"{includes[0]}/fortranobject.c"]
    fortran = compiler.locate(task.config.fc, "fc")
    command = [fortran, "-shared", "-fPIC", *flags, "-I.", "-o", str(folder / artifact), *sources]
    return contract.BuildStep(command, artifact, before=f"f2py {task.source} -m {stem}")
