"""Tests of two environments as contestants, from the configuration to the comparison. Both use the running Python."""

import csv
import json

import pytest
import scratch_python
from command_line import invoke
from place import DOC, Place
from report_page import read_pages

from accelbench.environments import interpreter

pytestmark = pytest.mark.slow
VERSIONS = ("2.1", "2.2")
SLOWER = """
from importlib.metadata import version

TIMES = 20 if version("some").startswith("2.2") else 1


def run(x, y):
    for _ in range(TIMES):
        y[:] = x + x
"""


@pytest.fixture(scope="module")
def measured(tmp_path_factory, devices_looked_for_once):
    """Return the Place of a sweep with NumPy and an implementation that version 2.2 of package `some` slows down."""
    place = Place(tmp_path_factory.mktemp("contestants"))
    place.write({"python_some.py": DOC + SLOWER})
    pythons = {v: scratch_python.make(place.folder / f"own {v}", ["numpy"], some=f"{v}.0") for v in VERSIONS}
    here = {f"python@{version}": {"python": python} for version, python in pythons.items()}
    protocol = {"repetitions": 3, "startup": False, "budget_s": 0.01, "min_rounds": 5, "sample_s": 0.0005}
    sweep = {"implementations": ["*@*"], "sizes": [10000], "dtypes": ["float64"]}
    place.configure({"environments": here, "protocol": protocol, **sweep})
    place.sweep()
    assert place.invoke("report").exit_code == 0
    return place


@pytest.fixture(scope="module")
def records(measured):
    return {r["implementation"]: r for r in measured.outcomes().values() if r["dtype"] == "float64"}


def test_each_is_measured_in_its_own_python(measured, records):
    machine = json.loads(measured.file("machine.json").read_text())
    assert records.keys() == {"numpy_ufunc", *(f"python_some@{version}" for version in VERSIONS)}
    keys = {record["key"] for record in records.values()}
    assert len(keys) == 3
    for version in VERSIONS:
        record = records[f"python_some@{version}"]
        name = f"python@{version}"
        assert record["outcome"] == "ok"
        assert record["backend"] == "python"
        told = machine["environments"][name]
        assert {key: record["environment"][key] for key in ("name", "python", "lock", "digest")} == {
            "name": name,
            **{key: told[key] for key in ("python", "lock", "digest")},
        }
        assert told["lock"] == "unlocked"
    assert "name" not in records["numpy_ufunc"]["environment"]


def test_tables_and_pages_keep_them_apart(measured):
    with measured.file("tables/timings.csv").open() as stream:
        rows = {row["implementation"]: row for row in csv.DictReader(stream) if row["dtype"] == "float64"}
    assert {name: row["environment"] for name, row in rows.items()} == {
        "numpy_ufunc": "",
        **{f"python_some@{version}": f"python@{version}" for version in VERSIONS},
    }
    assert [row["case"] for row in rows.values()] == [
        f"twice/{name}/float64/10000/factor=2/cpu/threads=1" for name in sorted(rows)
    ]
    old, new = (float(rows[f"python_some@{version}"]["speedup"]) for version in VERSIONS)
    assert old > 5 * new
    with measured.file("tables/winners.csv").open() as stream:
        assert {row["fastest"] for row in csv.DictReader(stream)} <= {"python_some@2.1", "numpy_ufunc"}
    page = read_pages(measured.folder / "reports" / "local" / "index.html")
    for version in VERSIONS:
        assert f"python_some@{version}" in page
        assert f"python@{version}: Python " in page


def test_contestants_are_compared(measured, tmp_path):
    folder = measured.folder / "results" / "local"
    table, page = tmp_path / "compared.csv", tmp_path / "compared.html"
    words = [f"{folder}@2.1", f"{folder}@2.2", "--csv", table, "--html", page, "--all", "--fail-on", "slower"]
    result = invoke("compare", *map(str, words))
    assert result.exit_code == 1, result.output
    with table.open() as stream:
        rows = {(row["implementation"], row["dtype"]): row for row in csv.DictReader(stream)}
    slower = rows["python_some@2.1-2.2", "float64"]
    assert slower["verdict"] == "SLOWER"
    assert float(slower["ratio"]) < 0.2
    assert "python_some@2.1-2.2" in page.read_text()
    refused = invoke("compare", f"{folder}@2.1", f"{folder}@3")
    assert refused.exit_code == 2
    assert "has no contestant of the version '3'. It has: 2.1, 2.2" in refused.stderr


def test_a_contestants_case_is_run_again(measured):
    case = "twice/python_some@2.2/float64/10000/factor=2/cpu/threads=1"
    result = invoke("case", case, "--configfile", str(measured.own))
    assert result.exit_code == 0, result.output
    assert "outcome ok" in result.output


def test_what_is_installed_in_an_environment_is_part_of_its_key_alone(measured):
    path = measured.file("journal/twice.1.jsonl")
    before = path.read_bytes()
    again = ["measure", "twice", "--repetition", "1"]
    assert measured.invoke(*again).exit_code == 0
    assert path.read_bytes() == before
    (about,) = measured.folder.glob("own 2.2/lib/*/site-packages/some-2.2.0.dist-info")
    about.rename(about.with_name("some-2.2.1.dist-info"))
    interpreter.read.cache_clear()
    for words in (["machine"], again):
        assert measured.invoke(*words).exit_code == 0
    added = path.read_bytes().removeprefix(before).decode()
    assert "twice/python_some@2.2/" in added
    assert "twice/python_some@2.1/" not in added
