"""Tests of the probing of devices: a broken driver affects only its own process, and gives a reason."""

import os
import subprocess
import sys
import time

import pytest
from waiting import has_ended, soon

from accelbench import project
from accelbench.machine.devices import probe
from accelbench.model.device import DeviceLimits
from accelbench.processes.supervision import FURTHER

PLANTED = """
import ctypes, os, subprocess, sys, time
from accelbench.backends import Device, Unavailable
from accelbench.backends.host import Session
from accelbench.model.device import DeviceLimits

BACKENDS = dict.fromkeys(
    "good noisy none absent missing raises segfaults exits silent hangs hangs_too leaves leaves_and_hangs".split()
)
PACKAGES = {name: () for name in BACKENDS} | {"absent": ("no-such-package",), "good": ("numpy",)}

def probe(backend):
    if backend == "noisy":
        os.write(1, b"driver banner\\n")
        print("hello")
    if backend == "none":
        return []
    if backend == "missing":
        raise Unavailable("no such driver: libdriver.so.1 not found")
    if backend == "raises":
        raise RuntimeError("clGetPlatformIDs failed: PLATFORM_NOT_FOUND_KHR")
    if backend == "segfaults":
        sys.stderr.write("driver: about to fail\\n")
        sys.stderr.flush()
        ctypes.string_at(0)
    if backend == "exits":
        os._exit(3)
    if backend == "silent":
        os._exit(0)
    if backend.startswith("hangs"):
        ctypes.CDLL(None).sleep(60)
    if backend.startswith("leaves"):
        child = subprocess.Popen(["sleep", "60"])
        open(os.environ["CHILD"], "w").write(str(child.pid))
    if backend == "leaves_and_hangs":
        ctypes.CDLL(None).sleep(60)
    return [Device("Acme 1", "gpu", {"number": 0}, DeviceLimits(max_block_size=256))]
"""


@pytest.fixture
def planted(tmp_path, monkeypatch):
    """Add backends that every new Python process finds. Return the test's temporary folder."""
    more = tmp_path / "backends"
    more.mkdir()
    (more / "planted.py").write_text(PLANTED)
    (tmp_path / "sitecustomize.py").write_text(
        f"import accelbench.backends\naccelbench.backends.__path__.append({str(more)!r})\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setenv(FURTHER, "PYTHONPATH CHILD")
    return tmp_path


@pytest.mark.parametrize("backend", ["good", "noisy"])
def test_devices_are_found(planted, backend):
    found = probe([backend])[backend]
    assert found.available
    assert found.reason is None
    (device,) = found.devices
    assert device.name == "Acme 1"
    assert device.device_limits == DeviceLimits(max_block_size=256)
    assert list(found.versions) == (["numpy"] if backend == "good" else [])


@pytest.mark.parametrize(
    ("backend", "reason"),
    [
        ("none", "no device found"),
        ("absent", "package no-such-package not installed: pip install no-such-package"),
        ("missing", "no such driver: libdriver.so.1 not found"),
        ("raises", "looking for devices failed: RuntimeError: clGetPlatformIDs failed: PLATFORM_NOT_FOUND_KHR (test_"),
        ("segfaults", "looking for devices crashed (SIGSEGV): driver: about to fail"),
        ("exits", "looking for devices crashed (exit status 3)"),
        ("silent", "looking for devices ended without an answer"),
    ],
)
def test_reasons(planted, backend, reason):
    found = probe([backend])[backend]
    assert found.reason.startswith(reason)
    assert not found.available
    assert found.devices == []


def test_a_hang_ends_at_the_limit_and_holds_up_nobody(planted):
    started = time.monotonic()
    found = probe(["hangs", "good"], limit_s=4)
    assert time.monotonic() - started < 30  # half of the time for which `hangs` sleeps
    assert found["good"].available
    assert found["hangs"].reason == "looking for devices did not end within 4 s (does the driver hang?)"


def test_backends_are_looked_for_at_the_same_time(planted):
    started = time.monotonic()
    found = probe(["hangs", "hangs_too"], limit_s=4)
    assert time.monotonic() - started < 2 * 4
    assert not any(state.available for state in found.values())


def test_what_a_driver_started_ends_with_it(planted, monkeypatch, tmp_path):
    monkeypatch.setenv("CHILD", str(tmp_path / "child"))
    assert probe(["leaves"])["leaves"].available
    assert soon(lambda: has_ended(int((tmp_path / "child").read_text())))


def test_a_look_ends_with_who_started_it(planted, tmp_path):
    child, script = tmp_path / "child", "from accelbench.machine.devices import probe; probe(['leaves_and_hangs'])"
    path = f"{project.ROOT / 'workflow'}:{planted}"
    environment = {**os.environ, "CHILD": str(child), "TMPDIR": str(tmp_path), "PYTHONPATH": path}
    with subprocess.Popen([sys.executable, "-c", script], env=environment) as prober:
        assert soon(lambda: child.exists() and child.read_text())
        prober.kill()
    assert soon(lambda: has_ended(int(child.read_text())))


def test_host_backends_here():
    found = probe(["numpy", "ctypes"])
    assert found["numpy"].available
    assert found["ctypes"].available
    assert [d.kind for d in found["ctypes"].devices] == ["cpu"]
