"""Numba's CUDA implementations in its simulator, which runs their Python: right results, no times."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from accelbench import catalog

ROOT = Path(__file__).parents[2]
# The simulator compiles nothing, and numba.vectorize asks for what was compiled.
NOT_SIMULATED = ("numba_cuda_vectorize",)
FILES = sorted(
    file
    for parent in ("kernels", "workflow/limits")
    for file in (ROOT / parent).glob("*/numba_cuda_*.py")
    if file.stem not in NOT_SIMULATED
)
SIMULATION = """
import sys
from types import SimpleNamespace

import numpy as np
from numba import cuda

from accelbench import catalog

assert cuda.config.ENABLE_CUDASIM
folder = catalog.load(sys.argv[1])
implementation = folder.implementations[sys.argv[2]]
module = catalog.import_file(implementation.path, "simulated")
options = {name: min(value, 33) for name, value in folder.spec.options.items()}  # the simulator is slow
two = folder.spec.block_dimensions == 2
matrices = any(len(output.shape) == 2 for output in folder.outputs(3, folder.spec.dtypes[0], options))
blocks = ((4, 4), (5, 3), (8, 2)) if two else (1, 4, 33)
for dtype in folder.spec.dtypes:
    for size, block in ((size, block) for size in ((1, 2, 11) if matrices else (0, 1, 50)) for block in blocks):
        inputs = folder.inputs(size, dtype, np.random.default_rng(size), options)
        outputs = [output for output in folder.outputs(size, dtype, options) if output.shape != ()]
        place = cuda.to_device if folder.spec.location == "device" else np.asarray
        given = {name: place(value) if np.ndim(value) else value for name, value in inputs.items()}
        arrays = [
            given[output.name] if output.inout else place(np.full(output.shape, 255, output.dtype))
            for output in outputs
        ]
        fresh = [array for array, output in zip(arrays, outputs) if not output.inout]
        if hasattr(module, "convert"):
            given = dict(enumerate(module.convert(**given)))
        swept = implementation.parameters.items()
        parameters = {name: block if values is None else values[0] for name, values in swept}
        if hasattr(module, "prepare"):
            case = SimpleNamespace(size=size, dtype=dtype, options=options, stream=cuda.stream(), **parameters)
            try:
                run = module.prepare(case)
            except NotImplementedError as reason:
                print(f"unsupported: {reason}")
                continue
            result = run(*given.values(), *fresh)
        else:
            result = module.run(*given.values(), *fresh, **parameters)
        results = arrays if result is None else result if isinstance(result, tuple) else [result]
        expected = folder.expected(size, dtype, options, inputs)
        bounds = folder.tolerance(size, dtype, options, inputs, expected)
        for found, right, bound in zip(results, expected, bounds, strict=True):
            found = found.copy_to_host() if hasattr(found, "copy_to_host") else found
            error = np.abs(np.asarray(found, np.float64) - right)
            assert (error <= bound).all(), (dtype, size, block, float(error.max()))
        print("right")
"""


@pytest.mark.parametrize("file", FILES, ids=[f"{file.parent.name}/{file.stem}" for file in FILES])
def test_simulated(file):
    environment = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1", "PYTHONPATH": str(ROOT / "workflow")}
    command = [sys.executable, "-W", "ignore", "-c", SIMULATION, str(file.parent), file.stem]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("right") >= 6, done.stdout


@pytest.mark.parametrize("name", NOT_SIMULATED)
def test_what_is_left_out_exists_and_is_read(name):
    """The list above names files that are there."""
    found = list((ROOT / "kernels").glob(f"*/{name}.py"))
    assert found
    assert all(catalog.read_implementation(file)[0].backend == "numba_cuda" for file in found)
