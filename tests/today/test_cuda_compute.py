"""Tests of implementations that use cuda.compute, run on the host with stand-ins for the library's algorithms."""

import json
import os
import subprocess
import sys
from importlib import metadata
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from cuda_compute_on_host import Stream
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
            results = call(inputs)  # uses temporary memory of the first call
        assert_right(folder, results, size=size, dtype=dtype, options=options, inputs=inputs)


def test_kernels():
    assert len({file.parent for file in FILES}) >= 6


def test_names_find_the_backend_and_its_environment():
    assert backends.of("cuda_compute_reduce") == "cuda_compute"
    assert backends.toolchain("cuda_compute") is None
    module = backends.modules()["cuda_compute"]
    assert module.ENVIRONMENT == "cuda13"
    assert backends.packages("cuda_compute")[0] == "cuda-cccl"


OF_1_1 = ["numpy", 'numba<0.66,>=0.60.0; extra == "cu13"', 'numba-cuda[cu13]!=0.27.*,>=0.23.0; extra == "cu13"']
OF_1_2 = ["numpy", 'cuda-cccl[minimal-cu13]; extra == "cu13"', 'numba-cuda-mlir[cu13]<0.6,>=0.5.2; extra == "cu13"']


@pytest.mark.parametrize(
    ("asked", "there", "missing"),
    [
        (OF_1_2, {"numba-cuda-mlir"}, None),
        (OF_1_2, {"numba", "numba-cuda"}, "numba-cuda-mlir"),
        (OF_1_1, {"numba", "numba-cuda"}, None),
        (OF_1_1, {"numba"}, "numba-cuda"),
    ],
)
def test_without_what_compiles_functions_it_is_unavailable(monkeypatch, asked, there, missing):
    """cuda.compute without its compiler is unavailable, as after `pip install cuda-cccl`."""
    module = backends.modules()["cuda_compute"]
    library = SimpleNamespace(make_reduce_into=None, cuda=SimpleNamespace(Stream=Stream))
    monkeypatch.setattr(module.cupy, "probe", lambda backend: ["a GPU"])
    monkeypatch.setattr(module.cuda, "import_library", lambda name: library)
    monkeypatch.setattr(metadata, "requires", lambda name: asked)
    monkeypatch.setattr(module, "installed_version", lambda name: "1.0" if name in there else None)
    if missing is None:
        assert module.probe("cuda_compute") == ["a GPU"]
        return
    for cupy, extra in (("cupy-cuda12x", "cu12"), ("cupy-cuda13x", "cu13")):
        monkeypatch.setattr(module, "PACKAGES", {"cuda_compute": ("cuda-cccl", cupy)})
        with pytest.raises(backends.Unavailable) as raised:
            module.probe("cuda_compute")
        what = f"{missing}, which cuda.compute needs to compile functions, is not installed"
        assert str(raised.value) == f"{what}: pip install 'cuda-cccl[{extra}]'"


@pytest.mark.parametrize(("backend", "package"), [("cuda_compute", "cuda-cccl"), ("warp", "warp-lang")])
def test_a_missing_package_comes_with_its_remedy(backend, package):
    if installed_version(package) is not None:
        pytest.skip(f"{package} is installed")
    code = [sys.executable, "-m", "accelbench.machine.look", backend]
    environment = os.environ | {"PYTHONPATH": str(KERNELS.parent / "workflow")}
    said = subprocess.run(code, env=environment, capture_output=True, text=True, cwd="/", check=True).stdout
    assert json.loads(said)[backend]["reason"].startswith(f"package {package} not installed: ")
