"""Toolchain "f2py": a Fortran source as an extension module, by what NumPy's f2py writes around it.

That goes straight to the compiler: 0.8 s of a core a module, against 1.8 s where f2py has Meson call it.
"""

from pathlib import Path

from accelbench.environments import interpreter
from accelbench.processes.supervision import clean_environment
from accelbench.toolchains import compiler
from accelbench.toolchains.compiler import BuildError
from accelbench.toolchains.contract import BuildStep

TOOLCHAIN = "f2py"
SUFFIXES = (".f90",)

_INCLUDES = "import numpy, numpy.f2py as f2py; print(f2py.get_include(), numpy.get_include(), sep='\\n')"
_ONE_LINE = "-fno-diagnostics-show-caret"  # messages as other compilers': "saxpy.f90:3:8: Error: what"

open = compiler.import_extension


def built(implementation):
    return [source for source in implementation.sources if source.endswith(SUFFIXES)]


def version(implementation, config, device=None):
    return f"{compiler.version_of(config.fc, 'fc')}, {interpreter.version(implementation, 'numpy')}"


def step(task, folder):
    python, work, stem = interpreter.read(task.implementation.python), folder / "work", Path(task.source).stem
    _ask(task, python, "-m", "numpy.f2py", task.source, "-m", stem, "--build-dir", str(work))
    module = work / f"{stem}module.c"
    if not module.is_file():
        raise BuildError(f"{task.source}: f2py finds no subroutine and no function in it")
    includes = _ask(task, python, "-c", _INCLUDES).splitlines()[-2:]
    wrappers = sorted(map(str, work.glob(f"{stem}-f2pywrappers*")))
    flags = [*compiler.flags(task.implementation, task.config), _ONE_LINE, "-J", str(work)]
    flags += [*(f"-I{path}" for path in includes), interpreter.include_flag(task.implementation)]
    artifact = stem + python.extension_suffix
    sources = [task.source, *wrappers, str(module), f"{includes[0]}/fortranobject.c"]
    command = [
        compiler.locate(task.config.fc, "fc"),
        "-shared",
        "-fPIC",
        *flags,
        "-I.",
        "-o",
        str(folder / artifact),
        *sources,
    ]
    return BuildStep(command, artifact, before=f"f2py {task.source} -m {stem}")


def _ask(task, python, *arguments):
    """What the Python of an implementation prints; BuildError where it fails."""
    command = [python.path, *arguments]
    status, words = compiler.run(command, task.config, cwd=task.folder, env=clean_environment())
    if status:
        raise BuildError(f"{task.source}: f2py cannot read it\n{words}")
    return words
