"""Tests of the energy per call, with simulated devices of known power."""

import time
from dataclasses import replace

import pytest

from accelbench import nvidia
from accelbench.measure import case_runner, energy

IDLE_W, BUSY_W = 100, 500


class Device:
    """Device that draws 500 W at work and 100 W idle, with calls of 1 ms.

    The device's energy counter is updated every 20 ms, and reading the counter takes 20 ms.
    """

    def __init__(self):
        self.start, self.bursts, self.calls = time.perf_counter(), [], 0

    def read(self):
        now = time.perf_counter()
        moved = self.start + (now - self.start) // 0.02 * 0.02
        worked = sum(max(0.0, min(end, moved) - begin) for begin, end in list(self.bursts))
        time.sleep(0.02)
        return IDLE_W * (moved - self.start) + (BUSY_W - IDLE_W) * worked

    def burst(self, first):
        assert first == (not self.calls)
        begin = time.perf_counter()
        self.bursts.append((begin, float("inf")))
        time.sleep(energy.BURST_S)
        end = time.perf_counter()
        self.bursts[-1] = begin, end
        made = (end - begin) / 0.001
        self.calls += made
        return begin, end, made


def test_a_call_takes_what_the_device_draws_at_work():
    device = Device()
    time.sleep(0.2)  # energy used before the first call is not counted
    assert energy.per_call(device.read, device.burst, 0.3) == pytest.approx(BUSY_W * 0.001, rel=0.1)


def test_calls_that_are_slowed_down_meanwhile_give_no_energy():
    """Reading the counter can block calls. If calls take over twice their usual time, their energy is discarded."""
    assert energy.per_call(Device().read, Device().burst, 0.1, usual_s=0.0004) is None
    device = Device()
    assert energy.per_call(device.read, device.burst, 0.1, usual_s=0.0008) > 0


def test_steps_before_and_between_bursts_are_not_taken_for_calls():
    """The energy that an idle device uses before the first burst of calls is not counted."""
    device = Device()

    def burst(first):
        if first:
            time.sleep(0.3)
        return device.burst(first)

    assert energy.per_call(device.read, burst, 0.3) == pytest.approx(BUSY_W * 0.001, rel=0.1)


def test_one_long_call_is_enough():
    start = time.perf_counter()

    def burst(first):
        begin = time.perf_counter()
        time.sleep(energy.PATIENCE_S + 0.3)
        return begin, time.perf_counter(), 1

    joules = energy.per_call(lambda: 200 * ((time.perf_counter() - start) // 0.02 * 0.02), burst, 0.1)
    assert joules == pytest.approx(200 * (energy.PATIENCE_S + 0.3), rel=0.1)


def test_a_counter_that_stands_still_gives_no_energy(monkeypatch):
    monkeypatch.setattr(energy, "PATIENCE_S", 0.1)

    def burst(first):
        begin = time.perf_counter()
        time.sleep(0.02)
        return begin, time.perf_counter(), 20

    assert energy.per_call(lambda: 5.0, burst, 0.01) is None
    assert energy.per_call(lambda: None, burst, 0.01) is None


def test_a_worker_whose_clock_stands_still_gives_no_energy(monkeypatch):
    monkeypatch.setattr(energy, "PATIENCE_S", 0.2)
    assert energy.per_call(Device().read, lambda first: (1.0, 1.0 + 1e-9, 1), 0.1) is None


def test_a_worker_is_asked_for_what_the_counter_counts(bench, monkeypatch):
    """The simulated GPU draws 200 W. A call takes 5 ms, or longer on a busy machine."""

    class OnGpu(case_runner.CaseRunner):
        def __init__(self, *arguments, **settings):
            super().__init__(*arguments, **settings)
            self.opened = replace(self.opened, gpu="0000:01:00.0")

    monkeypatch.setattr("accelbench.measure.bench.CaseRunner", OnGpu)
    monkeypatch.setattr(nvidia, "energy_j", lambda gpu: 200 * (time.perf_counter() // 0.02 * 0.02))
    bench.write("numpy_sleeping.py", "import time\n\n\ndef run(x, y):\n    time.sleep(0.005)\n    y[:] = 2 * x\n")
    joules = bench.measure()["numpy_sleeping"].energy_j
    assert 0.95 * 200 * 0.005 <= joules <= 200 * 0.5
