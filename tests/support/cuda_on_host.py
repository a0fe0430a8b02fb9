"""Run CUDA C++ sources on the host: g++ compiles them, blocks run one after the other, their threads take turns.

The module serves tests of correctness on machines without a GPU. Missing fences are not detected: the host orders
accesses to memory more strictly than a GPU.
"""

import ctypes
import re
import subprocess
from pathlib import Path

import numpy as np

HEADER = Path(__file__).with_suffix(".h")
SHARED = re.compile(r"extern __shared__ (\w+) (\w+)\[\];")
KERNEL = re.compile(r"__global__\s+void\s+(\w+)\s*\(")


def compile_source(source, folder, flags=()):
    """Compile a .cu file into a shared library in `folder`, and return the library as a ctypes.CDLL.

    Each array in dynamic shared memory becomes a global array. In a source without such arrays, each shared array of
    fixed size becomes a static array, since blocks run one after the other.
    """
    source, folder = Path(source), Path(folder)
    declared = sorted(set(SHARED.findall(source.read_text(encoding="utf-8"))))
    unit, library = folder / f"{source.stem}_on_host.ii", folder / f"{source.stem}.so"
    arrays = "".join(f"{kind} {name}[1 << 14];\n" for kind, name in declared)
    options = ["-std=c++17", "-O1", "-fno-strict-aliasing", "-shared", "-fPIC", "-ffp-contract=off", *flags]
    options += [] if declared else ["-D__shared__=static"]
    given = f'#include "{HEADER}"\n#include "{source}"\n{arrays}'
    text = _run("g++", *options, "-Wno-unknown-pragmas", "-E", "-x", "c++", "-", given=given)
    calls = (f'extern "C" void call_{name}(void **given) {{ call({name}, given); }}\n' for name in KERNEL.findall(text))
    unit.write_text(text.replace("__global__", "") + "".join(calls))
    _run("g++", *options, "-o", library, unit)
    return ctypes.CDLL(str(library))


def _run(*command, given=None):
    return subprocess.run(command, input=given, text=True, stdout=subprocess.PIPE, check=True).stdout


def launch(library, kernel, grid, block, arguments):
    """Run `kernel` for all threads. `arguments` are NumPy arrays, passed as pointers, and NumPy or Python scalars."""
    passed = [_passed(argument) for argument in arguments]
    places = (ctypes.c_void_p * len(passed))(*map(ctypes.addressof, passed))
    extents = [(ctypes.c_uint * 2)(*(*extent, 1)[:2]) for extent in (grid, block)]
    library.launch.restype = ctypes.c_bool
    assert library.launch(getattr(library, f"call_{kernel}"), places, *extents), "the threads of a block deadlock"


def _pointer(array):
    return ctypes.c_void_p(array.ctypes.data)


def _passed(argument):
    if isinstance(argument, np.ndarray):
        return _pointer(argument)
    kind = np.asarray(argument).dtype
    return np.ctypeslib.as_ctypes_type(kind)(np.asarray(argument).item())
