"""Tests of devices named by a configuration: missing and unusable devices, and GPU numbers."""

import pytest
from place import refused_run

from accelbench import config, project
from accelbench.cli import run
from accelbench.config.select import EffectiveConfig
from accelbench.errors import InputError
from accelbench.kernels import catalog
from accelbench.measure import plan
from accelbench.model.device import Backend, Device
from accelbench.model.machine import Machine
from accelbench.store import files

pytestmark = pytest.mark.usefixtures("devices_looked_for_once")


def test_device_pattern_without_match_is_told_of_and_an_error_where_none_matches(results, no_start):
    described = results.file("machine.json").read_bytes()
    results.configure({"devices": ["cpuu", "nonesuch*"]})
    for message in (refused_run(results), results.refusal("machine")):
        assert "devices: 'cpuu', 'nonesuch*' match no device here. Devices found: cpu" in message
        assert str(results.own) in message
    assert results.file("machine.json").read_bytes() == described


def test_missing_device_is_told_of_and_the_rest_is_measured(results, capsys):
    described = files.read_json(results.file("machine.json"))
    for devices, told in [(["CPU", "nonesuch*"], "devices: 'nonesuch*' matches no device here"), (["*"], "")]:
        results.configure({"devices": devices})
        said = results.invoke("machine").stderr
        assert (told in said) if told else not said
        run._check_computer(results.file(""), config.read(results.own), results.own)
        said = capsys.readouterr().err
        assert (told in said and "Devices found: cpu" in said) if told else not said
    assert files.read_json(results.file("machine.json"))["backends"] == described["backends"]


def test_new_device_is_looked_for_before_it_is_an_error(results, monkeypatch, capsys):
    results.configure({"devices": ["new gpu"]})
    given = config.read(results.own)
    found = {"cupy": Backend(True, None, {}, [Device("New GPU", "gpu")])}
    monkeypatch.setattr(run, "probe", lambda: found)
    run._check_computer(results.file(""), given, results.own)
    assert not capsys.readouterr().err


def test_unusable_device_is_told_of_with_its_reason_and_remedy():
    failure = "its driver cannot build a program (error: unknown target CPU 'generic')"
    reason = f"{failure}. Remedy: apt install pocl-opencl-icd"
    why = f"Old CL: {reason}"
    found = {
        "numpy": Backend(True, None, {}, [Device("cpu")]),
        "cupy": Backend.unavailable("no CUDA driver"),
        "pyopencl": Backend.unavailable(
            "none", unusable={"Other CL": "loading the driver failed (SIGSEGV)", "Old CL": reason}
        ),
    }
    with pytest.raises(InputError) as refused:
        plan.check_devices(config.Config(devices=["old*"]), found, "mine.yaml")
    assert "devices: 'old*' matches no device here that can be used (" in str(refused.value)
    assert why in str(refused.value)
    assert why in plan.check_devices(config.Config(devices=["cpu", "old*"]), found, "mine.yaml")
    for others in (["cpu", "nonesuch"], ["cpu", "no cuda"]):
        assert "used" not in plan.check_devices(config.Config(devices=others), found, "mine.yaml")


ONE, OTHER, NEXT = (Device(f"GPU {p}.{d}", "gpu", {"platform": p}) for p, d in [(0, 0), (1, 0), (1, 1)])


@pytest.mark.parametrize(
    ("gpus", "number", "remedy"),
    [
        ([], 3, None),  # a configuration with a GPU number works on a machine without GPUs
        ([ONE], 0, None),
        ([ONE], 1, "0"),
        ([ONE, OTHER], 1, "0"),
        ([ONE, OTHER, NEXT], 1, None),
        ([ONE, OTHER, NEXT], 2, "a number from 0 to 1"),
        ([ONE, OTHER, NEXT], "all", None),
    ],
)
def test_gpu_number_beyond_those_here(gpus, number, remedy):
    found = {"numpy": Backend(True, None, {}, [Device("cpu")]), "pyopencl": Backend(True, None, {}, gpus)}
    given = config.Config(device=number)
    if remedy is None:
        assert plan.check_devices(given, found, "mine.yaml") is None
        return
    with pytest.raises(InputError) as refused:
        plan.check_devices(given, found, "mine.yaml")
    expected = f"mine.yaml: device: this machine has no GPU with the number {number}. Set device to all or to {remedy}"
    assert str(refused.value) == expected


def test_block_sizes_are_swept_wherever_there_are_blocks(described):
    """Cases on the host's cores have no block size. Cases on OpenCL devices have a block size, even on a CPU."""
    devices = [Device("cpu"), Device("OpenCL's", "cpu"), Device("GPU", "gpu")]
    machine = Machine.model_validate(described)
    machine = machine.model_copy(update={"backends": machine.backends | {"pyopencl": Backend(True, None, {}, devices)}})
    asked = {"implementations": ["pyopencl_raw"], "block_sizes": [32, 64, 128], "block_sizes_cpu": [64, 256]}
    own = config.parse(asked | {"peaks": False, "sizes": [100], "dtypes": ["float64"]})
    cases = plan.cases(EffectiveConfig.of(own, catalog.load(project.ROOT / "kernels" / "copy")), machine)
    swept = {device.name: [] for device in devices}
    for case in cases:
        if case.implementation == "pyopencl_raw" and case.size == 100:
            swept[case.device].append(" ".join(map(str, case.parameters.values())))
    assert swept == {"cpu": [""], "OpenCL's": ["64", "256"], "GPU": ["32", "64", "128"]}
