"""Tests of the recorded load of the machine during a measurement."""

import json
import os
import subprocess
import sys
import time
from dataclasses import replace

import psutil
import pytest

from accelbench import nvidia
from accelbench.machine import system_state
from accelbench.model.gpu import GpuState
from accelbench.model.machine import SystemState

BUSY = "import time\nwhile time.process_time() < 0.5: pass\n"


def snapshot(gpus=(), **ticks):
    seconds = dict.fromkeys(("user", "nice", "system", "idle", "iowait", "irq", "softirq", "steal"), 0.0) | ticks
    return SystemState(
        time_s=sum(ticks.values()),
        load_average=[0.5, 0.5, 0.5],
        cpu_s=seconds,
        governor=None,
        frequency_mhz=1000.0,
        memory_free_bytes=10,
        gpus=list(gpus),
    )


def test_snapshot_tells_what_psutil_tells():
    before, found, after = psutil.cpu_times(), system_state.snapshot(), psutil.cpu_times()
    for name in ("user", "system", "idle", "steal"):
        assert getattr(before, name) - 0.02 <= found.cpu_s[name] <= getattr(after, name) + 0.02
    assert found.load_average == pytest.approx(os.getloadavg(), abs=0.5)
    assert 0 < found.memory_free_bytes <= psutil.virtual_memory().total
    json.dumps(found.model_dump())


@pytest.mark.skipif(nvidia.driver() is not None, reason="with a GPU, NVML takes longer")
def test_snapshot_is_cheap():
    system_state.snapshot()
    durations = []
    for _ in range(20):
        started = time.perf_counter()
        system_state.snapshot()
        durations.append(time.perf_counter() - started)
    assert min(durations) < 0.002


def test_steal_is_the_share_of_the_time_wanted():
    found = system_state.difference(
        snapshot(user=10, idle=100, steal=1), snapshot(user=16, idle=190, system=2, steal=3)
    )
    assert found.steal_share == pytest.approx(2 / 10)
    assert found.busy_share == pytest.approx(8 / 100)


def test_waiting_for_a_disk_is_idle():
    found = system_state.difference(snapshot(), snapshot(iowait=3, idle=1, user=4))
    assert found.busy_share == 0.5


def test_no_tick_no_share():
    found = system_state.difference(snapshot(user=5), snapshot(user=5))
    assert found.steal_share is None
    assert found.busy_share is None


def test_what_others_use_is_told_apart_from_what_this_program_does():
    """This program uses six of ten seconds of CPU time."""
    after = snapshot(user=8, idle=90, system=2)
    assert system_state.difference(snapshot(), after, own_s=6.0).others_share == pytest.approx(0.04)
    assert system_state.difference(snapshot(), after, own_s=11.0).others_share == 0
    assert system_state.difference(snapshot(), after).others_share is None
    assert system_state.difference(snapshot(), snapshot(user=0.3), own_s=0.1).others_share is None


def test_processes_that_this_one_has_started_are_no_others():
    passed, piped = system_state.begin(), dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with subprocess.Popen([sys.executable, "-c", BUSY + "print(flush=True)\ninput()"], **piped) as busy:
        busy.stdout.readline()
        found = passed()
    assert found.busy_share - found.others_share >= 0.3 / found.seconds / os.cpu_count()


@pytest.mark.processes
def test_what_has_ended_meanwhile_is_no_other(monkeypatch):
    """One process uses 0.5 s before the measurement and 0.2 s during it. A grandchild uses 0.5 s."""
    monkeypatch.setattr(system_state, "difference", lambda before, after, *, own_s: own_s)
    twice = BUSY + "print(flush=True)\ninput()\n" + BUSY.replace("0.5", "0.7")
    keeping = "import subprocess, sys; subprocess.run([sys.executable, '-c', sys.argv[1]], check=True)"
    piped = dict.fromkeys(("stdin", "stdout"), subprocess.PIPE)
    with subprocess.Popen([sys.executable, "-c", twice], **piped) as earlier:
        earlier.stdout.readline()
        visit = system_state.begin()
        earlier.communicate(b"\n")
        subprocess.run([sys.executable, "-c", keeping, BUSY], check=True)
        assert 0.65 <= visit() <= 1.1


def test_a_busy_process_shows():
    before = system_state.snapshot()
    end = time.process_time() + 0.2
    while time.process_time() < end:
        pass
    found = system_state.difference(before, system_state.snapshot())
    assert found.seconds >= 0.2
    assert found.busy_share > 0.1 / os.cpu_count()


def test_gpus_are_compared_by_uuid_and_keep_every_reason_and_process():
    quiet = GpuState(
        uuid="GPU-1",
        sm_clock_mhz=1900,
        memory_clock_mhz=3200,
        temperature_c=40,
        power_w=100.0,
        throttle_reasons=["idle"],
        memory_free_bytes=1,
        compute_processes=[7],
    )
    hot = replace(quiet, sm_clock_mhz=1200, throttle_reasons=["software power cap"], compute_processes=None)
    other = replace(quiet, uuid="GPU-2")
    (found,) = system_state.difference(snapshot(gpus=[quiet]), snapshot(gpus=[other, hot])).gpus
    assert found.uuid == "GPU-1"
    assert found.sm_clock_mhz == [1900, 1200]
    assert found.throttle_reasons == ["idle", "software power cap"]
    assert found.compute_processes == [7]


def test_throttle_reasons_have_names():
    assert nvidia.reasons(0) == []
    assert nvidia.reasons(0x4 | 0x40) == ["software power cap", "hardware thermal slowdown"]
    assert nvidia.reasons(1 << 40) == [hex(1 << 40)]


def test_throttle_reasons_are_those_of_nvml():
    pynvml = pytest.importorskip("pynvml")
    names = {
        "idle": "GpuIdle",
        "applications clocks setting": "ApplicationsClocksSetting",
        "software power cap": "SwPowerCap",
        "hardware slowdown": "HwSlowdown",
        "sync boost": "SyncBoost",
        "software thermal slowdown": "SwThermalSlowdown",
        "hardware thermal slowdown": "HwThermalSlowdown",
        "hardware power brake slowdown": "HwPowerBrakeSlowdown",
        "display clocks setting": "DisplayClockSetting",
    }
    expected = {getattr(pynvml, f"nvmlClocksThrottleReason{constant}"): name for name, constant in names.items()}
    assert expected == nvidia.THROTTLE_REASONS
