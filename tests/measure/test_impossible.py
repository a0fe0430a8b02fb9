"""Tests of cases that cannot run: each is recorded with an outcome, and none delays other cases."""

import time

import pytest
from place import DOC

from accelbench.model.artifact import Manifest
from accelbench.store import formats

pytestmark = pytest.mark.usefixtures("devices_looked_for_once")


def test_missing_compiler_is_an_outcome_with_a_remedy(results):
    results.configure({"build": {"cc": "no-such-compiler"}})
    built = results.invoke("build", "twice")
    assert built.exit_code == 0
    assert "twice/ctypes_c: twice.c was not built" in built.stderr
    assert results.invoke("measure", "twice").exit_code == 0
    found = results.outcomes()
    assert found["ctypes_c", "float64", 100]["outcome"] == "unavailable"
    remedy = found["ctypes_c", "float64", 100]["remedy"]
    assert "set build.cc" in remedy
    assert found["ctypes_c", "float64", 100]["cause"] == f"no-such-compiler not found: {remedy}"
    assert found["ctypes_c", "float64", 100]["reason"] == f"twice.c: no-such-compiler not found: {remedy}"
    assert found["numpy_ufunc", "float64", 100]["outcome"] == "ok"


def test_pyx_with_a_syntax_error_is_an_outcome(place):
    place.write({"cython_x.pyx": DOC + "import cython\n\ndef run(double[:] x, double[:] y:\n    cdef\n"})
    assert place.invoke("machine").exit_code == 0
    assert "cython_x.pyx was not built" in place.invoke("build", "twice", "cython").stderr
    manifest = formats.read(Manifest, place.file("build/twice/cython.json"), "")
    assert "cython_x.pyx:5" in manifest.artifacts[0].log


def test_size_beyond_all_memory_is_an_outcome_and_takes_no_time(results):
    sizes = [100, 3_000_000_000_000, 2**63 - 1]
    results.configure({"kernels": {"twice": {"sizes": sizes}}, "threads": [1, 65_536]})
    begin = time.perf_counter()
    assert results.invoke("measure", "twice").exit_code == 0
    assert time.perf_counter() - begin < 60
    found = results.outcomes()
    assert {size for _, _, size in found} == set(sizes)
    assert found["numpy_ufunc", "float64", 100]["outcome"] == "ok"
    for size in sizes[1:]:
        assert found["numpy_ufunc", "float64", size]["outcome"] == "out_of_memory"
        assert "GB" in found["numpy_ufunc", "float64", size]["reason"]
    assert results.invoke("tables").exit_code == 0
