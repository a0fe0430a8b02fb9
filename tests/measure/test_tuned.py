"""The best parameters of a sweep, from the timings to the implementation that asks for them."""

import shutil

import pytest

from accelbench import files, measure, tables, tuned
from accelbench.errors import InputError
from accelbench.measure.plan import Problem

SWEPT = '''
"""In steps."""

PARAMETERS = {"step": (1, 1000)}


def prepare(case):
    def run(x, y):
        for start in range(0, x.size, case.step):
            y[start : start + case.step] = 2 * x[start : start + case.step]

    return run
'''
ASKING = '''
"""In steps that are tuned."""

TOOLCHAIN = "c"
SOURCES = ("numpy_steps.py",)


def prepare(case):
    best = case.tuned("numpy_steps")
    if best is None:
        raise NotImplementedError("nobody tuned it yet")
    if best != {"step": 1000}:
        raise NotImplementedError(f"tuned to {best}")
    return case.prepared("numpy_steps", **best)
'''

UNNAMED = '''
"""In steps of another file."""


def prepare(case):
    return case.prepared("numpy_steps", step=1)
'''


def test_from_the_sweep_to_the_case(bench):
    bench.write("numpy_steps.py", SWEPT)
    bench.write("numpy_steps_tuned.py", ASKING)
    bench.build()
    asked = measured(bench)["numpy_steps_tuned"]
    assert (asked.outcome, asked.reason) == ("unsupported", "nobody tuned it yet")
    tables.write(bench.results)
    (choice,) = files.read_json(tuned.place(bench.results, "doubling"))["choices"]
    assert choice["implementation"] == "numpy_steps"
    assert (choice["size"], choice["parameters"]) == (1000, {"step": 1000})
    shutil.rmtree(bench.results / "journal")
    asked = measured(bench)["numpy_steps_tuned"]
    assert (asked.outcome, asked.reason) == ("ok", None)


def measured(bench):
    """{implementation: Record} of a measuring that builds nothing; of a sweep the last one."""
    return {r.implementation: r for r in measure.measure(bench.config(), "here", "doubling", bench.results)}


def test_what_is_prepared_must_be_among_the_sources(bench):
    bench.write("numpy_steps.py", SWEPT)
    bench.write("numpy_steps_tuned.py", UNNAMED)
    failed = measured(bench)["numpy_steps_tuned"]
    assert failed.outcome == "error"
    assert "SOURCES does not name numpy_steps.py" in failed.reason


def choice(size, parameters, **other):
    common = {"implementation": "way", "device": "cpu", "dtype": "float64", "options": {}}
    return {**common, "size": size, "parameters": parameters, **other}


def test_the_nearest_size_by_ratio_of_the_same_kind():
    choices = [choice(100, {"b": 1}), choice(10_000, {"b": [8, 8]}), choice(900, {"b": 3}, dtype="float32")]
    choices += [choice(900, {"b": 4}, device="gpu"), choice(900, {"b": 5}, options={"width": 3})]
    small, large = {"b": 1}, {"b": (8, 8)}
    for size, parameters in ((0, small), (100, small), (900, small), (1100, large), (10**9, large)):
        assert tuned.nearest(choices, "cpu", Problem("doubling", {}, size, "float64")) == {"way": parameters}
    assert tuned.nearest(choices, "cpu", Problem("doubling", {}, 5, "int32")) == {}


def test_no_file_is_no_choice_and_a_damaged_one_is_named(tmp_path):
    assert tuned.read(tmp_path, "doubling") == []
    files.write_json(tuned.place(tmp_path, "doubling"), {"schema_version": 1, "kernel": "doubling"})
    with pytest.raises(InputError, match=r"doubling\.json.*choices"):
        tuned.read(tmp_path, "doubling")
