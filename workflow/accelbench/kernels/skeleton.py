"""Skeletons: a kernel folder that is right as it stands, and implementations laid out for their backend to fill in.

A skeleton of an implementation raises NotImplementedError, so that `check` and a sweep call it `unsupported`, with the
reason, until it is written. So do the lectures' exercises, exercises/<exercise>/<kernel>/<solution>_exercise.py, each a
skeleton whose solution is the kernel's implementation of that name.
"""

import shutil
from pathlib import Path
from string import Template

import numpy as np

from accelbench import project
from accelbench.errors import InputError
from accelbench.kernels.implementation import check_backend, read_text
from accelbench.store import files

TEMPLATES = Path(__file__).parent / "skeletons"
SOURCES = {"ctypes": (".c", ".h"), "cffi": (".c", ".h"), "pyopencl": (".cl",)}  # native ones, beside an implementation


def write_kernel(folder):
    """Write a kernel folder with a specification and its baseline; returns the files written.

    The computation, y = 2 x, is small but real: the folder passes `check` and can be measured as it is.
    """
    if folder.exists():
        raise InputError(folder, "is there already", "Choose another name, or add to it: new KERNEL IMPLEMENTATION")
    title = folder.name.replace("_", " ").capitalize()
    names = {"kernel.py": "kernel", "numpy_multiply.py": "baseline"}
    return [_write(folder / name, _filled(template, title=title)) for name, template in names.items()]


def write_implementation(folder, name):
    """Write the skeleton of the implementation `name` into a KernelFolder; returns the files written.

    `run` gets the kernel's inputs and outputs as arguments. Native sources that are there already are left alone.
    """
    backend = check_backend(name, repr(name))
    path = folder.path / f"{name}{'.pyx' if backend == 'cython' else '.py'}"
    if name in folder.implementations or path.exists():
        raise InputError(path, "is there already", "Edit it, or choose another name")
    arguments = _arguments(folder)
    values = {"kernel": folder.name, "name": name, "backend": backend, "title": folder.spec.title}
    values |= {"arguments": ", ".join(arguments), "last": arguments[-1]}
    templates = (f"{backend}_{name.rpartition('_')[2]}", backend, "any")
    template = next(each for each in templates if (TEMPLATES / f"{each}.txt").is_file())
    written = [_write(path, _filled(template, **values))]
    for suffix in SOURCES.get(backend, ()):
        source = folder.path / f"{folder.name}{suffix}"
        if not source.exists():
            written.append(_write(source, _source(folder, suffix)))
    return written


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
    names = list(folder.inputs(2, spec.dtypes[0], np.random.default_rng(0), spec.options))
    outputs = folder.outputs(2, spec.dtypes[0], spec.options)
    return names + [output.name for output in outputs if output.shape != () and output.name not in names]


def _source(folder, suffix):
    """A native source in which one function per dtype, <kernel>_<dtype>, takes the size and does nothing yet."""
    name, dtypes = folder.name, folder.spec.dtypes
    if suffix == ".h":
        return "".join(f"void {name}_{dtype}(int64_t size);\n" for dtype in dtypes)
    if suffix == ".c":
        loop = "#pragma omp parallel for\n    for (int64_t i = 0; i < size; i++)\n        ;"
        functions = [f"void {name}_{dtype}(int64_t size)\n{{\n{loop}\n}}\n" for dtype in dtypes]
        return "\n".join([f'#include <stdint.h>\n\n#include "{name}.h"\n', *functions])
    functions = []
    for dtype in dtypes:
        function = f"kernel void {name}_{dtype}(long size)\n{{\n}}\n"
        functions.append(f"#ifdef cl_khr_fp64\n{function}#endif\n" if dtype == "float64" else function)
    return "\n".join(functions)


def _filled(template, **values):
    return Template((TEMPLATES / f"{template}.txt").read_text(encoding="utf-8")).substitute(values)


def _write(path, text):
    files.write(path, text)
    return path
