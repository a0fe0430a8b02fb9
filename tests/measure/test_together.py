"""Tests of a whole run: the first job of a repetition also measures the other kernels."""

import shutil

import pytest

from accelbench import config
from accelbench.errors import InputError
from accelbench.measure import bench as measuring
from accelbench.measure import coordinator
from accelbench.store import formats
from accelbench.verify.process import Verifier

pytestmark = pytest.mark.processes


@pytest.fixture
def two(bench, monkeypatch):
    """Return a Bench with a second kernel, in a run of the whole workflow."""
    shutil.copytree(bench.folder, bench.kernels / "other")
    monkeypatch.setenv(measuring.WHOLE, ".run")
    return bench


def waiting(bench, number):
    """Return the EffectiveConfigs of kernels other than `doubling` that can be measured in repetition `number`."""
    return [*measuring.waiting(config.parse(bench.settings), bench.results, kernel="doubling", number=number)]


def measure(bench, configs):
    """Measure the first repetition of `configs`, and write its files. Return {kernel: number of measured cases}."""
    found = dict(coordinator.measure_repetitions(configs, "here", bench.results, number=1))
    for kernel, measuring_of in found.items():
        formats.write(bench.results / "repetitions" / kernel / "1.json", measuring_of)
    return {kernel: each.cases for kernel, each in found.items()}


def test_one_verifier_serves_all_kernels_of_a_repetition(two, monkeypatch):
    starts, start = [], Verifier._start
    monkeypatch.setattr(Verifier, "_start", lambda self: (starts.append(self), start(self))[1])
    assert waiting(two, 2) == [], "the first repetition of the other kernel is missing"
    assert measure(two, [two.config(), *waiting(two, 1)]) == {"doubling": 1, "other": 1}
    assert len(starts) == 1
    assert waiting(two, 1) == [], "the other kernel is measured already"
    assert [own.kernel.name for own in waiting(two, 2)] == ["other"]
    monkeypatch.delenv(measuring.WHOLE)
    assert waiting(two, 2) == [], "a run of single results measures no other kernel"


def test_a_kernel_that_fails_is_left_to_its_own_job(two, monkeypatch):
    measured = coordinator.Coordinator.measure

    def measure_or_fail(self, number):
        if self._bench.folder.name == "other":
            raise InputError("other", "cannot be measured", "Correct it")
        return measured(self, number)

    monkeypatch.setattr(coordinator.Coordinator, "measure", measure_or_fail)
    assert measure(two, [two.config(), *waiting(two, 1)]) == {"doubling": 1}
    assert [own.kernel.name for own in waiting(two, 1)] == ["other"]
