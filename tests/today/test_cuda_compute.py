"""cuda.compute: what implementations give its algorithms, on the host under stand-ins."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from run_implementation import Runner, assert_right

from accelbench import backends
from accelbench.discovery import installed_version
from accelbench.kernels import catalog

KERNELS = Path(__file__).parents[2] / "kernels"
FILES = sorted(KERNELS.glob("*/cuda_compute_*.py"))
SIZES = (0, 1, 2, 33, 300)
COLUMNS = 7


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("file", FILES, ids=[f"{file.parent.name}/{file.stem}" for file in FILES])
def test_results(tmp_path, file, dtype):
    folder = catalog.load(file.parent)
    options, run = dict.fromkeys(folder.spec.options, COLUMNS), Runner(folder, tmp_path)
    for size in SIZES:
        inputs = folder.inputs(size, dtype, rng=np.random.default_rng(size), options=options)
        with run.prepared(file.stem, dtype, inputs, size=size, options=options) as call:
            call()
            results = call(inputs)  # finds what the first one left
        assert_right(folder, results, size=size, dtype=dtype, options=options, inputs=inputs)


def test_kernels():
    """It is to serve at least six."""
    assert len({file.parent for file in FILES}) >= 6


def test_names_find_the_backend_and_its_environment():
    assert backends.of("cuda_compute_reduce") == "cuda_compute"
    assert backends.toolchain("cuda_compute") is None
    module = backends.modules()["cuda_compute"]
    assert module.ENVIRONMENT == "cuda13"
    assert backends.packages("cuda_compute")[0] == "cuda-cccl"


@pytest.mark.parametrize(("backend", "package"), [("cuda_compute", "cuda-cccl"), ("warp", "warp-lang")])
def test_a_missing_package_comes_with_its_remedy(backend, package):
    if installed_version(package) is not None:
        pytest.skip(f"{package} is installed")
    code = [sys.executable, "-m", "accelbench.machine.look", backend]
    environment = os.environ | {"PYTHONPATH": str(KERNELS.parent / "workflow")}
    said = subprocess.run(code, env=environment, capture_output=True, text=True, cwd="/", check=True).stdout
    assert json.loads(said)[backend]["reason"].startswith(f"package {package} not installed: ")
