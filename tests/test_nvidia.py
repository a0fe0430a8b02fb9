"""Tests of the energy of a GPU as NVML reports it, with an imitation of the library."""

from types import SimpleNamespace

import pytest

from accelbench import nvidia


class NVMLError(Exception):
    pass


@pytest.fixture
def library(monkeypatch):
    """Yield an imitation of NVML with one GPU, at the PCI address 0000:1b:00.0, which has used 5 J."""

    def find(place):
        if place != "0000:1b:00.0":
            raise NVMLError("not found")
        return "the GPU"

    pretended = SimpleNamespace(
        NVMLError=NVMLError,
        nvmlDeviceGetHandleByPciBusId=find,
        nvmlDeviceGetTotalEnergyConsumption={"the GPU": 5000}.__getitem__,
    )
    monkeypatch.setattr(nvidia, "_library", lambda: pretended)
    nvidia._gpu_at.cache_clear()
    yield pretended
    nvidia._gpu_at.cache_clear()


def test_joules_are_those_of_the_gpu_at_that_place(library):
    assert nvidia.energy_j("0000:1b:00.0") == 5.0
    assert nvidia.energy_j("0000:1c:00.0") is None


def test_nobody_counts_joules_where_the_gpu_does_not_or_there_is_no_nvml(library, monkeypatch):
    def refuse(gpu):
        raise NVMLError("not supported")

    library.nvmlDeviceGetTotalEnergyConsumption = refuse
    assert nvidia.energy_j("0000:1b:00.0") is None
    monkeypatch.setattr(nvidia, "_library", lambda: None)
    assert nvidia.energy_j("0000:1b:00.0") is None
