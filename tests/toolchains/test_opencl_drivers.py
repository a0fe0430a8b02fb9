"""Tests that every OpenCL driver is loaded and tried separately, so that a failing driver does not affect others."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from accelbench import backends, config, project
from accelbench.backends import opencl
from accelbench.cli import kernels
from accelbench.config.select import EffectiveConfig
from accelbench.kernels import catalog
from accelbench.machine import devices
from accelbench.measure import plan
from accelbench.model.device import Backend
from accelbench.model.machine import Machine
from accelbench.store import files
from accelbench.toolchains import opencl_drivers

pytest.importorskip("pyopencl")
HERE = Path(__file__).parent


@pytest.fixture
def drivers(tmp_path, monkeypatch):
    """Return a function drivers(name="outcome", ...) that installs stand-ins beside the drivers of wheels."""
    monkeypatch.setenv("OCL_ICD_VENDORS", str(tmp_path))

    def install(flags=(), **outcomes):
        for name, outcome in outcomes.items():
            library = tmp_path / f"lib{name}.so"
            command = ["gcc", "-shared", "-fPIC", "-w", f"-DOUTCOME={outcome}", *flags, "-o", library]
            subprocess.run([*command, HERE / "pretended_opencl.c"], check=True)
            (tmp_path / f"{name}.icd").write_text(f"{library}\n")

    return install


@pytest.fixture
def no_others(tmp_path, monkeypatch):
    """Hide drivers that were installed with wheels."""
    monkeypatch.setattr(sys, "path", [entry for entry in sys.path if not Path(entry, "pyopencl", ".libs").is_dir()])
    monkeypatch.setattr(sys, "prefix", str(tmp_path))


@pytest.mark.parametrize(
    ("outcome", "reason"),
    [
        ("fails", "PoCL Pretence: its driver cannot build a program (error: unknown target CPU 'generic')"),
        ("aborts", "PoCL Pretence: its driver cannot build a program (SIGABRT)"),
        ("loading", "{place}/new.icd: loading the driver failed (SIGABRT)"),
    ],
)
def test_a_cpu_that_the_driver_does_not_know_makes_opencl_unavailable(
    drivers, no_others, tmp_path, monkeypatch, outcome, reason
):
    drivers(new=outcome)
    monkeypatch.setattr(opencl_drivers, "cure", lambda: "apt install pocl-opencl-icd")
    found = opencl.probe("pyopencl")
    assert [f"{d.name}: {d.unusable}" for d in found] == [
        f"{reason.format(place=tmp_path)}. Remedy: apt install pocl-opencl-icd"
    ]
    assert {device.remedy for device in found} == {"apt install pocl-opencl-icd"}


def test_the_driver_beside_one_that_builds_nothing_is_used(drivers, no_others):
    """Versions distinguish two drivers of the same name. The failing driver's reason has no remedy."""
    drivers(a="fails")
    drivers(['-DVERSION="3.1"'], b="builds")
    found = {device.name: device for device in opencl.probe("pyopencl")}
    assert list(found) == ["PoCL Pretence (3.0-rc2)", "PoCL Pretence (3.1)"]
    assert (
        found["PoCL Pretence (3.0-rc2)"].unusable
        == "its driver cannot build a program (error: unknown target CPU 'generic')"
    )
    usable = found["PoCL Pretence (3.1)"]
    assert usable.unusable is None
    assert usable.versions["llvm"] == "14.0.6"
    assert usable.versions["target"] == "generic"
    assert opencl.Session.variables(usable, 1)["OCL_ICD_VENDORS"].endswith("b.icd")


def test_one_library_under_two_names_is_one_driver(drivers, no_others, tmp_path):
    drivers(a="builds")
    (tmp_path / "same.icd").write_text((tmp_path / "a.icd").read_text())
    assert [device.name for device in opencl.probe("pyopencl")] == ["PoCL Pretence"]


@pytest.mark.parametrize("usable", [False, True])
def test_what_cannot_be_used_is_said_once_and_nothing_is_planned_on_it(
    drivers, tmp_path, monkeypatch, described, usable
):
    """An unusable driver is reported once, and no case is planned on it."""
    drivers(broken="fails")
    if usable:
        drivers(['-DVERSION="3.1"'], good="builds")
    else:
        monkeypatch.setenv("OCL_ICD_VENDORS", str(tmp_path / "broken.icd"))
    found = devices.probe(["pyopencl"])["pyopencl"]
    assert found.available is usable
    assert found.reason.startswith("PoCL Pretence")
    assert "its driver cannot build a program (error: unknown target CPU 'generic')" in found.reason
    assert bool(found.devices) is usable
    assert "3.0-rc2" not in {d.versions["driver"] for d in found.devices if "Pretence" in d.name}
    machine = Machine.model_validate(described)
    machine = machine.model_copy(update={"backends": machine.backends | {"pyopencl": found}})
    own = config.parse({"peaks": False, "implementations": ["pyopencl_raw"], "sizes": [100], "dtypes": ["float64"]})
    cases = plan.cases(EffectiveConfig.of(own, catalog.load(project.ROOT / "kernels" / "copy")), machine)
    unavailable = [case.verdict for case in cases if case.verdict and case.verdict.outcome == "unavailable"]
    assert unavailable == ([] if usable else [plan.Verdict("unavailable", found.reason, opencl_drivers.cure())])


@pytest.mark.parametrize(
    ("apt", "system", "machine", "intel", "cure"),
    [
        ("/usr/bin/apt-get", False, "x86_64", False, "apt install pocl-opencl-icd"),
        ("/usr/bin/apt-get", True, "x86_64", False, "make install LOCK=intel-opencl"),
        (None, False, "x86_64", False, "make install LOCK=intel-opencl"),
        (None, False, "x86_64", True, ""),
        (None, False, "aarch64", False, ""),
    ],
)
def test_the_cure_fits_the_system(tmp_path, monkeypatch, apt, system, machine, intel, cure):
    monkeypatch.setattr("shutil.which", lambda name: apt)
    monkeypatch.setattr("platform.machine", lambda: machine)
    monkeypatch.setattr(opencl_drivers, "SYSTEM", tmp_path / "pocl.icd")
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    for there, file in ((system, tmp_path / "pocl.icd"), (intel, tmp_path / opencl_drivers.INTEL)):
        if there:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.touch()
    assert opencl_drivers.cure() == cure


@pytest.mark.slow
def test_no_test_is_red_where_opencl_builds_nothing(drivers, tmp_path):
    """With a driver that builds nothing, tests of OpenCL and of `check` skip with a reason."""
    drivers(new="fails")
    own = {name: value for name, value in os.environ.items() if "PYTEST" not in name}
    words = ["-q", "-m", "not gpu and not slow", "-k", "opencl or test_checking", "--ignore", __file__]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *words, "-p", "no:cacheprovider", "--basetemp", tmp_path / "tests"],
        cwd=project.ROOT,
        env=own | {"OCL_ICD_VENDORS": str(tmp_path / "new.icd")},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-5000:]
    assert "its driver cannot build a program" in done.stdout


def test_a_stale_variable_is_named_where_no_driver_is_found(no_others, tmp_path, monkeypatch):
    place = tmp_path / "gone"
    monkeypatch.setenv("OCL_ICD_VENDORS", str(place))
    advice = f"unset OCL_ICD_VENDORS, which names {place}"
    with pytest.raises(backends.Unavailable, match=f"no OpenCL device found: {re.escape(advice)}"):
        opencl.probe("pyopencl")
    assert opencl_drivers.cure() == advice
    # A stand-in, since the real loader reads the variable only once and keeps its drivers.
    monkeypatch.setattr("pyopencl.get_platforms", list)
    with pytest.raises(LookupError, match=f"{re.escape(advice)} and run again"):
        opencl_drivers.find(platform="PoCL, 1", device=0)
    monkeypatch.delenv("OCL_ICD_VENDORS")
    monkeypatch.setenv("OPENCL_VENDOR_PATH", str(place))
    assert opencl_drivers.cure() == f"unset OPENCL_VENDOR_PATH, which names {place}"


def test_list_looks_again_where_a_variable_names_drivers(tmp_path, monkeypatch, described):
    files.write_json(tmp_path / "machine.json", described)
    monkeypatch.setattr(devices, "probe", lambda names: dict.fromkeys(names, Backend.unavailable("no driver")))
    probed = described["backends"]["pyopencl"]
    before = None if probed["available"] else probed["reason"]
    for value, reason in (("", before), ("/gone", "no driver")):
        monkeypatch.setenv("OCL_ICD_VENDORS", value)
        found = kernels.backend_states(tmp_path / "machine.json", {"numpy", "pyopencl"}, config.Config())
        assert found == {"numpy": None, "pyopencl": reason}
