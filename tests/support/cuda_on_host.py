"""Runs CUDA C++ sources on the host: compiled by g++, a block's threads as threads, block after block.

For correctness on machines without a GPU. The host's memory is stricter than a GPU's: fences are not tested.
"""

import ctypes
import re
import subprocess
import threading
from pathlib import Path

import numpy as np

HEADER = Path(__file__).with_suffix(".h")
SHARED = re.compile(r"extern __shared__ (\w+) (\w+)\[\];")


def compile_source(source, folder, flags=()):
    """The shared library of a .cu file, as a ctypes.CDLL.

    Dynamic shared memory becomes one global array, that of fixed size a static one: blocks run one after the other.
    """
    source, folder = Path(source), Path(folder)
    declared = sorted(set(SHARED.findall(source.read_text(encoding="utf-8"))))
    unit, library = folder / f"{source.stem}_on_host.cpp", folder / f"{source.stem}.so"
    arrays = "".join(f"{kind} {name}[1 << 14];\n" for kind, name in declared)
    unit.write_text(f'#include "{HEADER}"\n#include "{source}"\n{arrays}')
    options = ["-std=c++17", "-O2", "-fno-strict-aliasing", "-shared", "-fPIC", "-pthread", "-ffp-contract=off"]
    options += [] if declared else ["-D__shared__=static"]
    subprocess.run(["g++", *options, "-Wno-unknown-pragmas", "-o", library, unit, *flags], check=True)
    return ctypes.CDLL(str(library))


def launch(library, kernel, grid, block, arguments):
    """Run `kernel` for all threads. arguments: NumPy arrays, passed as pointers, and NumPy or Python scalars."""
    grid, block = ((*extent, 1)[:2] for extent in (grid, block))
    function, begin_block = getattr(library, kernel), library.begin_block
    passed = [_passed(argument) for argument in arguments]
    library.begin_launch(*grid, *block)

    def thread(x, y):
        for block_y in range(grid[1]):
            for block_x in range(grid[0]):
                begin_block(block_x, block_y, x, y)
                function(*passed)

    threads = [threading.Thread(target=thread, args=(x, y)) for y in range(block[1]) for x in range(block[0])]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    library.end_launch()


def _pointer(array):
    return ctypes.c_void_p(array.ctypes.data)


def _passed(argument):
    if isinstance(argument, np.ndarray):
        return _pointer(argument)
    kind = np.asarray(argument).dtype
    return np.ctypeslib.as_ctypes_type(kind)(np.asarray(argument).item())
