"""Tests of the backend numba_cuda_mlir, which runs the implementations of numba_cuda."""

import subprocess
import sys
from types import SimpleNamespace

import pytest

from accelbench import project
from accelbench.backends import numba_cuda_mlir
from accelbench.kernels import catalog
from accelbench.kernels.implementation import read_implementation

FILES = sorted((project.ROOT / "kernels").glob("*/numba_cuda_*.py"))
LIBRARY = "print('imported')\nint32 = 'a type'\n"
WORKER = """
import sys
from accelbench.backends import numba_cuda_mlir
from accelbench.model.device import Device

assert "numba" not in sys.modules
variables = numba_cuda_mlir.Session.variables(Device("gpu", "gpu", {"device": 0}), None)
assert variables["CUDA_VISIBLE_DEVICES"].startswith("0,")
print("before")
from numba import cuda, int32
assert (cuda.__name__, int32) == ("numba_cuda_mlir.cuda", "a type")
try:
    from numba import no_such_name
except ImportError:
    print("no such name")
"""


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_every_file_is_an_implementation_of_both(file):
    found = read_implementation(file)
    half = len(found) // 2
    for own, other in zip(found[:half], found[half:], strict=True):
        assert (own.backend, other.backend) == ("numba_cuda", "numba_cuda_mlir")
        assert other.name == own.name.replace("numba_cuda", "numba_cuda_mlir")
        assert (own.path, own.parameters, own.variant) == (other.path, other.parameters, other.variant)
        assert (own.needed_environment, other.needed_environment) == (None, "numba_cuda_mlir")


def test_names_that_it_would_share_are_refused(place):
    text = "def run(x, y):\n    pass\n"
    place.write({"numba_cuda_x.py": text, "numba_cuda_mlir_x.py": text})
    with pytest.raises(Exception, match=r"'numba_cuda_mlir_x' is also in numba_cuda_mlir_x\.py"):
        catalog.load(place.kernel)


@pytest.mark.parametrize(
    "error",
    [
        ValueError("assignment destination is read-only"),  # copy_overlap/numba_cuda_implicit
        RuntimeError("numba-cuda-mlir should not launch Numba-CUDA kernels"),  # cuda.reduce of version 0.6
    ],
)
def test_what_the_library_cannot_do_is_unsupported(error):
    session = SimpleNamespace(REASONS=numba_cuda_mlir.Session.REASONS)
    assert numba_cuda_mlir.Session.explain(session, error)[0] == "unsupported"


def test_numba_is_the_other_library_in_its_workers(tmp_path):
    """In workers of numba_cuda_mlir, an implementation that imports numba.cuda gets numba-cuda-mlir."""
    package = tmp_path / "numba_cuda_mlir"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "cuda.py").write_text(LIBRARY)
    paths = f"{tmp_path}:{project.ROOT / 'workflow'}"
    command = [sys.executable, "-c", WORKER]
    done = subprocess.run(command, env={"PYTHONPATH": paths}, capture_output=True, text=True)
    assert done.stdout.split("\n") == ["before", "imported", "no such name", ""], done.stderr
