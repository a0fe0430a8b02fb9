"""What is told of the fastest, by simulation: candidates that are all alike, whose time is known."""

import math

import numpy as np
import pytest
from pretended_results import GPU, record, save
from read_results import read

from accelbench import decide
from accelbench.figures import style
from accelbench.report import heatmaps, machines

PROCESSES = ["p1", "p2", "p3", "p4", "p5"]
TRIALS = 60
ON_GPU = {"name": GPU["device"], "kind": "gpu"}


def analyses(folder, backend, places, **where):
    """Of twelve implementations, twice as fast as NumPy each; their processes scatter by 2 %."""
    generator = np.random.default_rng(11)
    for trial in range(TRIALS):
        times = {f"{backend}_w{n:02}": 0.5 * np.exp(generator.normal(0, 0.02, 5)) for n in range(12)}
        records = [
            record(name, repetitions=PROCESSES, **dict.fromkeys(places, tuple(map(float, own))), **where)
            for name, own in times.items()
        ]
        numpy = record("numpy_thing", compute=1.0, repetitions=PROCESSES)
        yield read(save(folder / str(trial), numpy, *records, devices=[ON_GPU] if where else []))


def answers(*told, **where):
    """The Answers about them."""
    for analysis in analyses(*told, **where):
        yield decide.answer(decide.gather(analysis), decide.State("thing", "float64", "", 1000, "resident"))


def too_fast(told):
    """The mean logarithm of how many times as fast as in truth something is said to be."""
    return np.mean([math.log(0.5 / seconds) for seconds in told])


def test_sentence_does_not_tell_too_short_a_time_of_the_fastest_of_many_that_are_alike(tmp_path):
    found = list(answers(tmp_path, "cffi", ["compute"]))
    assert too_fast(each.best.seconds for each in found) > 0.01  # by its own times
    assert abs(too_fast(each.first.seconds for each in found)) < 0.006
    assert abs(np.mean([math.log(each.first.speedup / 2) for each in found])) < 0.006
    assert np.mean([each.first.low <= 0.5 <= each.first.high for each in found]) >= 0.93
    for each in found:
        told = f"{style.seconds(each.first.seconds)} a call, {style.ratio(each.first.speedup)} as fast as NumPy."
        assert each.sentences[0].endswith(told)


@pytest.mark.processes
def test_nor_of_the_fastest_on_a_gpu(tmp_path):
    found = list(answers(tmp_path, "cupy", ["compute", "throughput", "call", "end_to_end"], **GPU))
    assert {tuple(each.gpu_at) for each in found} == {("pageable", "kept", "resident")}
    assert abs(too_fast(each.gpu_at["resident"].seconds for each in found)) < 0.006
    assert abs(too_fast(each.gpu_at["pageable"].seconds for each in found)) < 0.006
    assert all(each.gpu_at["kept"].seconds >= each.gpu_at["resident"].seconds for each in found)


def test_nor_of_a_machine_beside_others(tmp_path):
    read_in = list(analyses(tmp_path, "cffi", ["compute"]))
    own = [min(case.seconds("compute") for case in each.cases if case.record.backend == "cffi") for each in read_in]
    assert too_fast(own) > 0.01
    (told,) = zip(*(machines.ComparedMachine("thing", each).times.values() for each in read_in), strict=True)
    for place in machines.PLACES:
        assert abs(too_fast(each[place].seconds for each in told)) < 0.006


@pytest.mark.processes
def test_nor_of_a_backend_beside_others(tmp_path, monkeypatch):
    monkeypatch.setattr(heatmaps, "MOST_ROWS", 0)
    told = []
    for analysis in analyses(tmp_path, "cffi", ["compute"]):
        (best, *_) = heatmaps.heatmap_plots(analysis)
        cells = {row.label: row.cells[0] for row in best.chart.rows}
        told.append(1 / cells["cffi"].speedup)
    assert cells["numpy"].speedup == 1
    assert abs(too_fast(told)) < 0.006


def test_what_is_clearly_the_fastest_is_told_as_it_was_measured(tmp_path):
    times = {"cffi_a": (0.10, 0.11, 0.12, 0.10, 0.11), "cffi_b": (0.50, 0.51, 0.52, 0.50, 0.53)}
    records = [record(name, compute=own, repetitions=PROCESSES) for name, own in times.items()]
    choices = decide.gather(read(save(tmp_path, record("numpy_thing", compute=1.0, repetitions=PROCESSES), *records)))
    found = decide.answer(choices, decide.State("thing", "float64", "", 1000, "resident"))
    own = found.best.timed
    assert found.best.name == "cffi_a"
    assert (found.first.seconds, found.first.low, found.first.high) == (own.seconds, own.low, own.high)
    assert found.first.speedup == pytest.approx(found.best.speedup)
