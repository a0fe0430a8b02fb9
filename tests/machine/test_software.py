"""Tests of the list of distributions and compilers, and of the fingerprint whose change causes another probe."""

import os
import shutil
import subprocess
import sys
import time
from importlib import metadata

import pytest

from accelbench import backends
from accelbench.machine import software


def canonical(name):
    return name.lower().replace("_", "-").replace(".", "-")


def test_distributions_are_those_importlib_finds():
    expected = {}
    for found in metadata.distributions():
        expected.setdefault(canonical(found.metadata["Name"]), found.version)
    assert software.distributions() == dict(sorted(expected.items()))


def test_the_first_on_the_path_is_the_one(tmp_path, monkeypatch):
    for folder, version in (("a", "1.0"), ("b", "2.0")):
        (tmp_path / folder / f"Some_Thing-{version}.dist-info").mkdir(parents=True)
        monkeypatch.syspath_prepend(str(tmp_path / folder))
    assert software.distributions()["some-thing"] == "2.0"


def test_compilers(tmp_path, monkeypatch):
    for name, text in (("mycc", "my cc 1.2\\nCopyright"), ("nvcc", "nvcc: NVIDIA\\ntools, release 12.9, V12.9.86")):
        script = tmp_path / name
        script.write_text(f"#!/bin/sh\nprintf '{text}\\n'\n")
        script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    found = software.compilers("mycc", "no-such-compiler")
    assert found == {"cc": "my cc 1.2", "cxx": None, "nvcc": "tools, release 12.9, V12.9.86"}


def test_fingerprint_stays_while_nothing_changes():
    assert software.fingerprint() == software.fingerprint()


@pytest.mark.parametrize(
    ("distribution", "changes"),
    [("pocl-7.1", True), ("nvidia_cublas_cu12-12.9", True), ("cupy_cuda13x-14.0", True), ("flask-3.0", False)],
)
def test_fingerprint_follows_libraries_that_matter(distribution, changes, tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(tmp_path))
    before = software.fingerprint()
    (tmp_path / f"{distribution}.dist-info").mkdir()
    assert (software.fingerprint() != before) is changes


def test_fingerprint_follows_a_backends_own_packages_upgrades(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(tmp_path))
    before = software.fingerprint()
    (tmp_path / "numpy-99.0.dist-info").mkdir()
    assert software.fingerprint() != before


def test_fingerprint_follows_opencl_drivers(tmp_path, monkeypatch):
    monkeypatch.setenv("OCL_ICD_VENDORS", str(tmp_path))
    prints = [software.fingerprint()]
    (tmp_path / "readme.txt").write_text("not a driver")
    assert software.fingerprint() == prints[0]
    (tmp_path / "new.icd").write_text("libnew.so.1")
    prints.append(software.fingerprint())
    (tmp_path / "new.icd").write_text("libnew.so.2")
    prints.append(software.fingerprint())
    library = tmp_path / "libnew.so.3.1"
    library.touch()
    (tmp_path / "libnew.so").symlink_to(library)
    (tmp_path / "new.icd").write_text(str(tmp_path / "libnew.so"))
    prints.append(software.fingerprint())
    library.rename(tmp_path / "libnew.so.3.2")
    (tmp_path / "libnew.so").unlink()
    (tmp_path / "libnew.so").symlink_to(tmp_path / "libnew.so.3.2")
    prints.append(software.fingerprint())
    assert len(set(prints)) == len(prints)


def test_fingerprint_follows_the_nvidia_driver(tmp_path, monkeypatch):
    monkeypatch.setenv("LD_LIBRARY_PATH", str(tmp_path))
    before = software.fingerprint()
    (tmp_path / "libcuda.so.1").touch()
    assert software.fingerprint() != before


def test_fingerprint_follows_the_compiler(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    before = software.fingerprint()
    compiler = tmp_path / "gcc"
    compiler.touch()
    compiler.chmod(0o755)
    planted = software.fingerprint()
    os.utime(compiler, ns=(1, 1))
    assert len({before, planted, software.fingerprint()}) == 3


def test_fingerprint_follows_a_backend_whose_packages_are_there_already(tmp_path, monkeypatch):
    before = software.fingerprint()
    folder = shutil.copytree(backends.__path__[0], tmp_path / "backends")
    monkeypatch.setattr(backends, "__path__", [str(folder)])
    assert software.fingerprint() == before
    (folder / "scratch.py").write_text('PACKAGES = ("numpy",)\n')
    assert software.fingerprint() != before


def test_fingerprint_follows_the_cpus_it_may_use():
    everything = os.sched_getaffinity(0)
    if len(everything) == 1:
        pytest.skip("one CPU only")
    before = software.fingerprint()
    os.sched_setaffinity(0, {min(everything)})
    try:
        assert software.fingerprint() != before
    finally:
        os.sched_setaffinity(0, everything)


def test_fingerprint_is_quick_and_imports_no_library():
    software.fingerprint()
    durations = []
    for _ in range(5):
        started = time.process_time()
        software.fingerprint()
        durations.append(time.process_time() - started)
    assert min(durations) < 0.05
    libraries = {"cupy", "pycuda", "pyopencl", "numba", "llvmlite", "cffi", "Cython", "pynvml"}
    command = "import sys; from accelbench.machine import software; software.fingerprint(); "
    command += f"print({libraries} & set(sys.modules))"
    answer = subprocess.run([sys.executable, "-c", command], capture_output=True, text=True, check=True)
    assert answer.stdout == "set()\n"
