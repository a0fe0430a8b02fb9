"""Tests of the selection bias of the fastest time, by simulating candidates with the same, known time."""

import math

import numpy as np
import pytest
from pretended_results import GPU, record, save
from read_results import read

from accelbench.report import heatmaps

PROCESSES = ["p1", "p2", "p3", "p4", "p5"]
TRIALS = 60
ON_GPU = {"name": GPU["device"], "kind": "gpu"}


def analyses(folder, backend, places, **where):
    """Yield TRIALS Analyses, each of twelve implementations twice as fast as NumPy, with 2 % scatter of their times."""
    generator = np.random.default_rng(11)
    for trial in range(TRIALS):
        times = {f"{backend}_w{n:02}": 0.5 * np.exp(generator.normal(0, 0.02, 5)) for n in range(12)}
        records = [
            record(name, repetitions=PROCESSES, **dict.fromkeys(places, tuple(map(float, own))), **where)
            for name, own in times.items()
        ]
        numpy = record("numpy_thing", compute=1.0, repetitions=PROCESSES)
        yield read(save(folder / str(trial), numpy, *records, devices=[ON_GPU] if where else []))


def too_fast(told):
    """Return the bias of reported times: the mean logarithm of the true time, 0.5 s, over the reported time."""
    return np.mean([math.log(0.5 / seconds) for seconds in told])


@pytest.mark.processes
def test_a_backend_beside_others_is_not_told_too_fast(tmp_path):
    told = []
    for analysis in analyses(tmp_path, "cffi", ["compute"]):
        (plot,) = heatmaps.plots(analysis)
        cells = {label: own[0] for label, own in plot.chart.cells.items()}
        told.append(1 / cells["cffi"].speedup)
    assert cells["numpy"].speedup == 1
    assert abs(too_fast(told)) < 0.006
