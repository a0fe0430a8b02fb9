"""Tests of repetitions that are measured one by one, in any order, and merged."""

import pytest

from accelbench.store import files

pytestmark = pytest.mark.usefixtures("devices_looked_for_once")


@pytest.fixture
def several(place, monkeypatch):
    """Return a Place with two repetitions and a described machine. All measurements belong to one run."""
    place.configure({"dtypes": ["float64"], "protocol": {"repetitions": 2, "budget_s": 0.01, "sample_s": 0.0005}})
    monkeypatch.setenv("ACCELBENCH_RUN_ID", "this run")
    assert place.invoke("machine").exit_code == 0
    return place


def test_a_repetition_says_what_it_was_and_all_of_them_are_merged(several):
    names = {}
    for number in (2, 1):
        assert several.invoke("measure", "twice", "--repetition", str(number)).exit_code == 0
        assert not several.file("timings").exists()
        described = files.read_json(several.file(f"repetitions/twice/{number}.json"))
        assert (described["run"], described["cases"]) == ("this run", 1)
        (names[number],) = described["repetitions"]
    assert several.invoke("merge", "twice").exit_code == 0
    (record,) = several.outcomes().values()
    assert record["repetitions"] == [names[1], names[2]]
    (run,) = files.read_json(several.file("kernels/twice.json"))["runs"]
    assert (run["run"], sorted(run["repetitions"])) == ("this run", sorted(names.values()))


def test_without_a_number_all_are_measured_and_merged(several):
    assert several.invoke("measure", "twice").exit_code == 0
    (record,) = several.outcomes().values()
    assert len(record["repetitions"]) == 2
    journals = sorted(path.name for path in several.file("journal").glob("*.jsonl"))
    assert journals == ["twice.1.jsonl", "twice.2.jsonl"]


def test_merging_before_anything_is_measured_says_what_to_do(several):
    result = several.invoke("merge", "twice")
    assert result.exit_code == 2
    assert "has no repetition of twice. Measure it: python -m accelbench run --kernel twice" in result.stderr


@pytest.mark.parametrize("number", ["0", "-1", "x"])
def test_a_number_that_is_none_is_refused(several, number):
    result = several.invoke("measure", "twice", "--repetition", number)
    assert result.exit_code == 2
    assert "--repetition" in result.stderr


def test_further_repetitions_are_measured_alone_and_merged_with_those_there_are(several):
    assert several.invoke("measure", "twice").exit_code == 0
    (before,) = several.outcomes().values()
    journals = {path: path.read_text() for path in several.file("journal").glob("twice.*.jsonl")}
    several.configure({"dtypes": ["float64"], "protocol": {"repetitions": 4, "budget_s": 0.01, "sample_s": 0.0005}})
    assert several.invoke("measure", "twice").exit_code == 0
    assert {path: path.read_text() for path in journals} == journals
    (after,) = several.outcomes().values()
    assert after["repetitions"][:2] == before["repetitions"]
    assert len(after["repetitions"]) == 4
