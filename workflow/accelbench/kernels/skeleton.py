"""Write skeletons: a new kernel folder, which can be measured as it is, and implementations to fill in.

A skeleton of an implementation raises NotImplementedError. Until the user deletes the `raise` line, `check` and runs
report the implementation as `unsupported`, with the reason. The lectures' exercises are such skeletons:
exercises/<exercise>/<kernel>/<solution>_exercise.py or .pyx. <solution> is the name of an implementation of the kernel.

templates/ contains templates of skeletons. A skeleton is written from the first of these templates that exists:
<backend>_<last word of the implementation's name>, such as cython_openmp; <backend>; `implementation`, which the other
two extend.
"""

import shutil

import numpy as np
from jinja2 import Environment, PackageLoader

from accelbench import project
from accelbench.kernels.implementation import check_backend
from accelbench.kernels.reading import read_text
from accelbench.kernels.specification import require
from accelbench.store import files

# {backend: suffixes of a skeleton's native sources}
NATIVE = {"ctypes": (".c", ".h"), "cffi": (".c", ".h"), "pyopencl": (".cl",)}


def write_kernel(folder):
    """Write a kernel folder with a specification and its baseline. Return the files written.

    The kernel computes y = 2 x, passes `check` and can be measured as it is.
    """
    remedy = "Choose another name, or add an implementation: new KERNEL IMPLEMENTATION"
    require(not folder.exists(), folder, "already exists", remedy=remedy)
    title = folder.name.replace("_", " ").capitalize()
    templates = {"kernel.py": "kernel", "numpy_multiply.py": "baseline"}
    return [_fill(folder / name, template, title=title) for name, template in templates.items()]


def write_implementation(folder, name):
    """Write the skeleton of the implementation `name` into a KernelFolder. Return the files written.

    The arguments of `run` are the kernel's inputs, then its outputs that are arrays. Native sources that exist stay as
    they are.
    """
    backend = check_backend(name, repr(name))
    path = folder.path / f"{name}{'.pyx' if backend == 'cython' else '.py'}"
    is_new = name not in folder.implementations and not path.exists()
    require(is_new, path, "already exists", remedy="Edit it, or choose another name")
    arguments, style = _arguments(folder), name.rpartition("_")[2]
    facts = {"kernel": folder.name, "title": folder.spec.title, "dtypes": folder.spec.dtypes, "backend": backend}
    facts |= {"name": name, "arguments": ", ".join(arguments), "last": arguments[-1], "style": style}
    sources = [folder.path / f"{folder.name}{suffix}" for suffix in NATIVE.get(backend, ())]
    written = [_fill(path, f"{backend}_{style}", backend, "implementation", **facts)]
    return written + [_fill(file, f"source{file.suffix}", **facts) for file in sources if not file.exists()]


def exercises():
    """Return {name: folder} of every exercise, sorted by name. The folder is named like the kernel."""
    return {path.parent.name: path for path in sorted(project.EXERCISES.glob("*/*/"))}


def write_exercise(name, kernels):
    """Copy the skeletons of the exercise `name` to its kernel in the folder `kernels`. Return the files written.

    If `kernels` lacks this kernel, first copy the whole kernel, with its reference and the solution.
    """
    known = exercises()
    require(name in known, repr(name), "no such exercise", remedy=f"Exercises: {', '.join(known)}")
    target, skeletons = kernels / known[name].name, sorted(known[name].iterdir())
    for file in skeletons:
        copy = target / file.name
        require(
            not copy.exists(), copy, "already exists", remedy="Continue with this file, or move it away to start again"
        )
    if not target.exists():
        files.make_folder(kernels)
        ignored = shutil.ignore_patterns("__pycache__", "*_exercise.*")
        shutil.copytree(project.ROOT / "kernels" / target.name, target, ignore=ignored)
    return [_write(target / file.name, read_text(file)) for file in skeletons]


def _arguments(folder):
    """Return the names of the arguments of `run`: the kernel's inputs, then its outputs that are arrays."""
    spec = folder.spec
    size, dtype = max(2, spec.smallest), spec.dtypes[0]
    names = list(folder.inputs(size, dtype, rng=np.random.default_rng(0), options=spec.options))
    outputs = folder.outputs(size, dtype, spec.options)
    return names + [output.name for output in outputs if output.shape != () and output.name not in names]


def _fill(path, *templates, **facts):
    """Write the file `path` from the first of `templates` that exists. Return the path."""
    loader = PackageLoader("accelbench.kernels")
    jinja = Environment(loader=loader, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True)
    return _write(path, jinja.select_template([f"{name}.jinja" for name in templates]).render(facts))


def _write(path, text):
    files.write(path, text)
    return path
