"""Skeletons: a kernel folder that is right as it stands, and implementations laid out for their backend to fill in.

A skeleton of an implementation raises NotImplementedError, so that `check` and a sweep call it `unsupported`, with the
reason, until it is written. So do the lectures' exercises, exercises/<exercise>/<kernel>/<solution>_exercise.py, each a
skeleton whose solution is the kernel's implementation of that name.
"""

import shutil

import numpy as np

from accelbench import project
from accelbench.errors import InputError
from accelbench.kernels.implementation import check_backend, read_text
from accelbench.store import files

SPECIFICATION = '''"""y = 2 x, element by element.

Write here what is computed, as a formula, and what makes it worth measuring.
"""

import numpy as np

from accelbench.kernel import Kernel, Output

KERNEL = Kernel(
    title="{title}",
    size="number of elements",
    sizes={{
        "smoke": (1_000,),
        "default": (1_000, 100_000, 1_000_000),
        "lecture": (1_000, 10_000, 100_000, 1_000_000, 10_000_000),
    }},
    dtypes=("float64", "float32"),
    baseline="numpy_multiply",
)


def inputs(size, dtype, rng):
    return {{"x": rng.random(size).astype(dtype)}}


def outputs(size, dtype):
    return (Output("y", (size,), dtype),)


def reference(x):
    return 2 * x.astype(np.float64)


def tolerance(expected, dtype):
    """One unit in the last place of each element."""
    return np.finfo(dtype).eps * np.abs(expected)


def bytes_moved(size, itemsize):
    return size * itemsize, size * itemsize


def flops(size):
    return size
'''

BASELINE = '''"""One NumPy ufunc into a preallocated array."""

import numpy as np


def run(x, y):
    np.multiply(x, x.dtype.type(2), out=y)
'''

IMPLEMENTATION = '''"""{title}, {how}."""
{head}

{run}'''

RUN = """def run({arguments}):
    raise NotImplementedError("{name} is not written yet")
"""

PREPARE = """def prepare(case):
    function = {function}
    raise NotImplementedError("{name} is not written yet: let run call `function`, then delete this line")

    def run({arguments}):
        function()

    return run
"""

# Per backend, or backend and last word of a style: how the docstring goes on, what stands before `run`, the native
# sources, how they are loaded.
LAYOUTS = {
    "numba_parallel": (
        "in Numba, on several cores",
        """
import numba

PARAMETERS = ("threads",)


@numba.njit(parallel=True, cache=True)
def loop({arguments}):
    for i in numba.prange({last}.size):
        pass  # write this, then let run call it
""",
        (),
        None,
    ),
    "cython_openmp": (
        "in Cython, on several cores: by `for i in prange(n, nogil=True)`",
        '\nFLAGS = ("-fopenmp",)\n\nfrom cython.parallel cimport prange\n',
        (),
        None,
    ),
    "python": ("in plain Python", "", (), None),
    "numpy": ("in NumPy", "\nimport numpy as np\n", (), None),
    "cython": ("in Cython", "", (), None),
    "ctypes": (
        "in C, called through ctypes",
        '\nimport ctypes\n\nSOURCES = ("{kernel}.c",)\n',
        (".c", ".h"),
        'getattr(ctypes.CDLL(case.artifact("{kernel}.c")), f"{kernel}_{{case.dtype}}")',
    ),
    "cffi": (
        "in C, called through CFFI's out-of-line API mode",
        '\nSOURCES = ("{kernel}.c",)\n',
        (".c", ".h"),
        'getattr(case.artifact("{kernel}.c").lib, f"{kernel}_{{case.dtype}}")',
    ),
    "pyopencl": (
        "in OpenCL C",
        '\nimport pyopencl as cl\n\nPARAMETERS = ("block_size",)\nSOURCES = ("{kernel}.cl",)\n',
        (".cl",),
        'cl.Kernel(case.artifact("{kernel}.cl"), f"{kernel}_{{case.dtype}}")',
    ),
}


for _backend in ("ctypes", "cffi"):
    _how, _head, *_rest = LAYOUTS[_backend]
    LAYOUTS[f"{_backend}_openmp"] = (f"{_how}, on several cores", f'{_head}FLAGS = ("-fopenmp",)\n', *_rest)


def write_kernel(folder):
    """Write a kernel folder with a specification and its baseline; returns the files written.

    The computation, y = 2 x, is small but real: the folder passes `check` and can be measured as it is.
    """
    if folder.exists():
        raise InputError(folder, "is there already", "Choose another name, or add to it: new KERNEL IMPLEMENTATION")
    title = folder.name.replace("_", " ").capitalize()
    texts = {"kernel.py": SPECIFICATION.format(title=title), "numpy_multiply.py": BASELINE}
    return [_write(folder / name, text) for name, text in texts.items()]


def write_implementation(folder, name):
    """Write the skeleton of the implementation `name` into a KernelFolder; returns the files written.

    `run` gets the kernel's inputs and outputs as arguments. Native sources that are there already are left alone.
    """
    backend = check_backend(name, repr(name))
    path = folder.path / f"{name}{'.pyx' if backend == 'cython' else '.py'}"
    if name in folder.implementations or path.exists():
        raise InputError(path, "is there already", "Edit it, or choose another name")
    plain = (f"in {backend}", f"\nimport {backend}\n", (), None)
    styled = f"{backend}_{name.rpartition('_')[2]}"
    how, head, sources, function = LAYOUTS.get(styled, LAYOUTS.get(backend, plain))
    arguments = _arguments(folder)
    values = {"kernel": folder.name, "name": name, "arguments": ", ".join(arguments), "last": arguments[-1], "how": how}
    values |= {"title": folder.spec.title, "head": head.format(**values)}
    values["function"] = (function or "").format(**values)
    values["run"] = (PREPARE if function else RUN).format(**values)
    written = [_write(path, IMPLEMENTATION.format(**values))]
    for suffix in sources:
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
    names = list(folder.inputs(2, spec.dtypes[0], rng=np.random.default_rng(0), options=spec.options))
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


def _write(path, text):
    files.write(path, text)
    return path
