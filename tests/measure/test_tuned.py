"""Tests of tuned cases, which use the best parameters from the sweep of another implementation."""

import re

import pytest
from bench import run_of_its_own

from accelbench import measure
from accelbench.cli import estimate
from accelbench.config.select import EffectiveConfig
from accelbench.errors import InputError
from accelbench.kernels import catalog
from accelbench.measure.plan import Problem
from accelbench.model.parameters import BlockSize
from accelbench.model.tuned import TunedChoice
from accelbench.store import files, load, tuned


def measured(bench, **chosen):
    """Measure without a build. Return {implementation: Record}, with only the last case of a swept implementation."""
    whole = bench.config()
    config = EffectiveConfig.of(whole.config.model_copy(update=chosen), whole.kernel)
    with run_of_its_own():
        return {r.implementation: r for r in measure.measure(config, "here", bench.results)}


def test_from_the_sweep_to_the_case_in_one_go(tuned_bench):
    found = measured(tuned_bench)
    record, baseline = found["numpy_steps_tuned"], found["numpy_multiply"]
    assert (record.outcome, record.reason) == ("ok", None)
    assert (record.tuned, record.parameters) == ({"step": 1000}, {})
    assert set(record.repetitions).isdisjoint(found["numpy_steps"].repetitions)
    assert set(record.repetitions) < set(baseline.repetitions)  # the baseline is measured again beside the tuned case
    (choice,) = files.read_json(tuned.place(tuned_bench.results, "doubling"))["choices"]
    assert (choice["implementation"], choice["size"], choice["parameters"]) == ("numpy_steps", 1000, {"step": 1000})
    assert measured(tuned_bench)["numpy_steps_tuned"] == record  # nothing is measured twice


@pytest.mark.slow
def test_estimates_count_what_is_tuned_until_it_is_measured(tuned_bench, monkeypatch):
    monkeypatch.setattr(estimate, "_machine", lambda config, home: load.read_machine(home))
    kernel = tuned_bench.config()

    def estimated():
        return estimate.estimate(kernel.config, [kernel], [tuned_bench.results], cores="all")[0]

    assert estimated() == "To measure: 4 cases, roughly 1 min"  # the baseline, two cases of the sweep, the tuned case
    measured(tuned_bench)
    assert estimated() == "To measure: nothing, all cases have valid results"


@pytest.mark.slow
def test_another_optimum_is_measured_again(tuned_bench):
    alone = {"implementations": ("numpy_multiply", "numpy_steps_tuned")}
    before = measured(tuned_bench)["numpy_steps_tuned"]
    assert measured(tuned_bench, **alone)["numpy_steps_tuned"] == before  # uses the stored choice of the machine
    kept = tuned.place(tuned_bench.results, "doubling")
    value = files.read_json(kept)
    value["choices"][0]["parameters"]["step"] = 1
    files.write_json(kept, value)
    after = measured(tuned_bench, **alone)["numpy_steps_tuned"]
    assert after.tuned == {"step": 1}
    assert after.timings["compute"].median_s > 10 * before.timings["compute"].median_s
    assert measured(tuned_bench)["numpy_steps_tuned"] == before  # a new sweep overrides the stored choice


def test_without_a_sweep_it_says_what_is_missing(tuned_bench):
    found = measured(tuned_bench, implementations=("numpy_multiply", "numpy_steps_tuned"))["numpy_steps_tuned"]
    assert found.outcome == "unsupported"
    assert found.remedy == "add numpy_steps to `implementations`"
    assert found.reason == f"the sweep numpy_steps has no result on this device: {found.remedy}"


@pytest.mark.parametrize(
    ("line", "instead", "said"),
    [
        ('"numpy_steps"\n', '"numpy_multiply"\n', "does not name an implementation with PARAMETERS.*numpy_steps"),
        ('"numpy_steps"\n', '"numpy_nothing"\n', "does not name an implementation with PARAMETERS"),
        ('"numpy_steps"\n', '("numpy_steps",)\n', "TUNED_BY is a tuple.*as a string"),
        ("SOURCES", 'PARAMETERS = {"n": (1, 2)}\nSOURCES', "and PARAMETERS. Remove one of the two"),
        ('SOURCES = ("numpy_steps.py",)', "", "SOURCES does not name its file.*numpy_steps.py"),
    ],
)
def test_what_cannot_be_tuned_is_refused(tuned_bench, line, instead, said):
    file = tuned_bench.folder / "numpy_steps_tuned.py"
    tuned_bench.write(file.name, file.read_text().replace(line, instead))
    refused = catalog.load(tuned_bench.folder).implementations["numpy_steps_tuned"]
    assert re.search(r"(?s)numpy_steps_tuned\.py.*" + said, refused.problem)
    assert refused.tuned_by is None


def test_a_tuned_case_that_crashed_is_due_in_the_next_run(tuned_bench):
    file = tuned_bench.folder / "numpy_steps_tuned.py"
    tuned_bench.write(
        file.name, file.read_text().replace("    return case", "    import os; os._exit(1)\n    return case")
    )
    due = tuned_bench.results / "journal" / "doubling.due"
    assert measured(tuned_bench)["numpy_steps_tuned"].outcome == "crashed"
    assert due.stat().st_mtime > 1
    measured(tuned_bench)  # a failure that occurs twice is final
    assert due.stat().st_mtime == 1


def choice(size, parameters, **other):
    common = {"implementation": "way", "device": "cpu", "dtype": "float64", "options": {}}
    return TunedChoice(**common | {"size": size, "parameters": parameters} | other)


def test_the_nearest_size_by_ratio_of_the_same_kind():
    choices = [choice(100, {"b": 1}), choice(10_000, {"block_size": [8, 8]}), choice(900, {"b": 3}, dtype="float32")]
    choices += [choice(900, {"b": 4}, device="gpu"), choice(900, {"b": 5}, options={"width": 3})]
    small, large = {"b": 1}, {"block_size": BlockSize((8, 8))}
    for size, parameters in ((0, small), (100, small), (900, small), (1100, large), (10**9, large)):
        assert tuned.nearest(choices, "way", "cpu", problem=Problem("doubling", {}, size, "float64")) == parameters
    assert tuned.nearest(choices, "way", "cpu", problem=Problem("doubling", {}, 5, "int32")) is None
    assert tuned.nearest(choices, "other", "cpu", problem=Problem("doubling", {}, 5, "float64")) is None


def test_no_file_is_no_choice_and_a_damaged_one_is_named(tmp_path):
    assert tuned.read(tmp_path, "doubling") == []
    files.write_json(tuned.place(tmp_path, "doubling"), {"schema_version": 2, "kernel": "doubling"})
    with pytest.raises(InputError, match=r"doubling\.json.*choices"):
        tuned.read(tmp_path, "doubling")
