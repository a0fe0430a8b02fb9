"""Skeletons: a kernel folder that is right as it stands, and implementations laid out for their backend to fill in.

A skeleton of an implementation raises NotImplementedError, so that `check` and a sweep call it `unsupported`, with the
reason, until it is written. So do the lectures' exercises, exercises/<exercise>/<kernel>/<solution>_exercise.py, each a
skeleton whose solution is the kernel's implementation of that name.

templates/ holds the texts: of an implementation that of the backend and its style's last word, such as cython_openmp,
where there is one, else the backend's, else `implementation`, which the others extend.
"""

import shutil

import numpy as np
from jinja2 import Environment, PackageLoader

from accelbench import project
from accelbench.errors import InputError
from accelbench.kernels.implementation import check_backend
from accelbench.kernels.reading import read_text
from accelbench.store import files

# The native sources of a skeleton, by its backend.
NATIVE = {"ctypes": (".c", ".h"), "cffi": (".c", ".h"), "pyopencl": (".cl",)}


def write_kernel(folder):
    """Write a kernel folder with a specification and its baseline; returns the files written.

    The computation, y = 2 x, is small but real: the folder passes `check` and can be measured as it is.
    """
    if folder.exists():
        raise InputError(folder, "is there already", "Choose another name, or add to it: new KERNEL IMPLEMENTATION")
    title = folder.name.replace("_", " ").capitalize()
    templates = {"kernel.py": "kernel", "numpy_multiply.py": "baseline"}
    return [_fill(folder / name, template, title=title) for name, template in templates.items()]


def write_implementation(folder, name):
    """Write the skeleton of the implementation `name` into a KernelFolder; returns the files written.

    `run` gets the kernel's inputs and outputs as arguments. Native sources that are there already are left alone.
    """
    backend = check_backend(name, repr(name))
    path = folder.path / f"{name}{'.pyx' if backend == 'cython' else '.py'}"
    if name in folder.implementations or path.exists():
        raise InputError(path, "is there already", "Edit it, or choose another name")
    arguments, style = _arguments(folder), name.rpartition("_")[2]
    facts = {"kernel": folder.name, "title": folder.spec.title, "dtypes": folder.spec.dtypes, "backend": backend}
    facts |= {"name": name, "arguments": ", ".join(arguments), "last": arguments[-1], "style": style}
    sources = [folder.path / f"{folder.name}{suffix}" for suffix in NATIVE.get(backend, ())]
    written = [_fill(path, f"{backend}_{style}", backend, "implementation", **facts)]
    return written + [_fill(file, f"source{file.suffix}", **facts) for file in sources if not file.exists()]


def exercises():
    """{name: its folder, called as the kernel it is about} of every exercise, sorted by name."""
    return {path.parent.name: path for path in sorted(project.EXERCISES.glob("*/*/"))}


def write_exercise(name, kernels):
    """Copy an exercise's skeletons into the folder of its kernel in `kernels`; returns the files written.

    A kernel that is not there yet is copied first, from the workflow's own, so that solution and reference lie beside.
    """
    known = exercises()
    if name not in known:
        raise InputError(repr(name), "no such exercise", f"Exercises: {', '.join(known)}")
    target, skeletons = kernels / known[name].name, sorted(known[name].iterdir())
    for file in skeletons:
        if (target / file.name).exists():
            raise InputError(target / file.name, "is there already", "Go on with it, or move it away to start afresh")
    if not target.exists():
        files.make_folder(kernels)
        ignored = shutil.ignore_patterns("__pycache__", "*_exercise.*")
        shutil.copytree(project.ROOT / "kernels" / target.name, target, ignore=ignored)
    return [_write(target / file.name, read_text(file)) for file in skeletons]


def _arguments(folder):
    """Names of what `run` takes: the kernel's inputs, then its outputs that are arrays."""
    spec = folder.spec
    size, dtype = max(2, spec.smallest), spec.dtypes[0]
    names = list(folder.inputs(size, dtype, rng=np.random.default_rng(0), options=spec.options))
    outputs = folder.outputs(size, dtype, spec.options)
    return names + [output.name for output in outputs if output.shape != () and output.name not in names]


def _fill(path, *templates, **facts):
    """Write `path` from the first of these templates that there is; returns it."""
    loader = PackageLoader("accelbench.kernels")
    jinja = Environment(loader=loader, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True)
    return _write(path, jinja.select_template([f"{name}.jinja" for name in templates]).render(facts))


def _write(path, text):
    files.write(path, text)
    return path
