"""Tests of damaged result files: one message names file and remedy before any work, and no data is lost."""

import json
import math

import pytest
from place import refused_run

from accelbench.store import files
from accelbench.store.journal import Journal

pytestmark = pytest.mark.usefixtures("devices_looked_for_once")


def damaged(whole):
    """Return {kind of damage: bytes} for the JSON file with the content `whole`."""
    data = json.loads(whole)
    found = {
        "cut": whole[: len(whole) // 2],
        "empty": b"",
        "binary": bytes(range(256)),
        "deep": b"[" * 100_000,
        "a list": b"[]",
        "a number": b"3",
        "another version": json.dumps({**data, "schema_version": 3}).encode(),
        "no version": json.dumps({k: v for k, v in data.items() if k != "schema_version"}).encode(),
    }
    for key in data:
        if key not in ("left_out", "baselines", "algorithms", "watched", "environments"):  # these have defaults
            found[f"no {key}"] = json.dumps({k: v for k, v in data.items() if k != key}).encode()
        found[f"odd {key}"] = json.dumps({**data, key: {"odd": [None]}}).encode()
    return found


@pytest.mark.parametrize(
    ("name", "commands"),
    [
        ("machine.json", [["build", "twice"], ["measure", "twice"], ["tables"], ["report"], ["list"]]),
        ("build/twice/c.json", [["measure", "twice"]]),
        ("kernels/twice.json", [["tables"], ["report"]]),
    ],
)
def test_damaged_description(results, name, commands):
    path = results.file(name)
    for what, text in damaged(path.read_bytes()).items():
        path.write_bytes(text)
        for command in commands:
            message = results.refusal(*command)
            assert str(path) in message, (what, message)
            assert "Delete it and run" in message, (what, message)


def oldest(version):
    """Return a function that sets the protocol version of all runs in metadata, or removes it if `version` is None."""

    def change(metadata):
        for run in metadata["runs"]:
            run.update(protocol_version=version) if version else run.pop("protocol_version")

    return change


@pytest.mark.parametrize(
    ("name", "change", "problem"),
    [
        ("machine.json", lambda value: value.update(schema_version=1), "has schema_version 1, not 2"),
        ("kernels/twice.json", lambda value: value.update(schema_version=1), "has schema_version 1, not 2"),
        ("timings/twice.jsonl", lambda value: value.update(schema_version=1), "has schema_version 1, not 2"),
        ("kernels/twice.json", oldest(2), "measured by version 2 of the protocol"),
        ("kernels/twice.json", oldest(None), "measured by version 1 of the protocol"),
    ],
)
def test_older_files_are_refused_with_the_commit_that_reads_them(results, name, change, problem):
    path = results.file(name)
    first, *others = path.read_text().splitlines() if path.suffix == ".jsonl" else [path.read_text()]
    value = json.loads(first)
    change(value)
    path.write_text("\n".join([json.dumps(value), *others]) + "\n")
    message = results.refusal("tables")
    assert f"{problem}. The last commit of accelbench that reads it is bf4db96b" in message


def test_description_without_a_backend(results):
    path = results.file("machine.json")
    described = files.read_json(path)
    del described["backends"]["ctypes"]
    files.write_json(path, described)
    assert "has no entry for the backend 'ctypes'" in results.refusal("measure", "twice")


@pytest.mark.parametrize("what", ["cut", "empty", "binary", "deep", "a list", "no recipe", "odd recipe", "no path"])
def test_damaged_build_mark_is_built_again(results, what):
    (mark,) = results.file("build/twice/c").glob("*/complete.json")
    whole = mark.read_bytes()
    mark.write_bytes(damaged(whole)[what])
    assert results.invoke("build", "twice").exit_code == 0
    assert json.loads(mark.read_bytes())["path"] == json.loads(whole)["path"]


def edited(line, **fields):
    """Return a line of timings with the values `fields` replaced."""
    return json.dumps(json.loads(line) | fields).encode()


def with_timing(line, **fields):
    timings = json.loads(line)["timings"]
    return edited(line, timings=timings | {"compute": timings["compute"] | fields})


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (lambda line: line[: len(line) // 2], "is not a complete JSON object"),
        (lambda line: b"\xff\x00", "is not a complete JSON object"),
        (lambda line: b"[" * 100_000, "is not a complete JSON object"),
        (lambda line: b"3", "is not a complete JSON object"),
        (lambda line: line.replace(b'"schema_version":2', b'"schema_version":3'), "has schema_version 3, not 2"),
        (lambda line: line.replace(b'"outcome":"ok"', b'"outcome":"fine"'), "outcome: "),
        (
            lambda line: line.replace(b'"size":100', b'"size":1' + b"0" * 30),
            "size: Input should be less",
        ),
        (lambda line: line.replace(b'"factor":2', b'"factor":NaN'), "options.factor"),
        (lambda line: line.replace(b'"device":"cpu"', b'"device":null'), "device: is missing, but the outcome is ok"),
        (
            lambda line: line.replace(b'"samples_s":[[', b'"samples_s":[[-1.0,'),
            "samples_s.0.0: Input should be greater than or equal to 0.000000000001",
        ),
        (lambda line: with_timing(line, median_s=3.0), "median_s: is 3, but the median of samples_s is"),
        (lambda line: with_timing(line, median_s=math.inf), "median_s: Input should be a finite number"),
        (lambda line: with_timing(line, ci_low_s=2.0, ci_high_s=1e-12), "the median lies outside of the interval"),
        (lambda line: with_timing(line, ci_high_s=math.nan), "ci_high_s: Input should be"),
        (lambda line: with_timing(line, ci_low_s=-1.0), "ci_low_s: Input should be greater than 0"),
        (lambda line: with_timing(line, loops=[0]), "loops: less than one call per sample"),
        (lambda line: with_timing(line, samples_s=[[]], rounds=[[]]), "samples_s: contains no sample"),
        (lambda line: with_timing(line, samples_s=[[1e10]], rounds=[[0]]), "samples_s.0.0: Input should be less"),
        (lambda line: with_timing(line, samples_s=[], rounds=[], loops=[]), "samples_s: contains no sample"),
        (lambda line: edited(line, max_error=1.0), "max_error: 1 exceeds the tolerance of 0"),
        (lambda line: edited(line, errors={"y": [2.0, 1.0]}), "y: 2 exceeds the tolerance of 1"),
        (lambda line: line + b"\n" + line, "repeats the case"),
    ],
)
def test_damaged_timings(results, line, told):
    path = results.file("timings/twice.jsonl")
    first, *rest = path.read_bytes().splitlines()
    assert line(first) != first
    path.write_bytes(b"\n".join([*rest, line(first)]))
    tables = {file: file.read_bytes() for file in results.file("tables").iterdir()}
    message = results.refusal("tables")
    assert told in message
    assert f"{path}:{len(rest) + 1}" in message
    assert {file: file.read_bytes() for file in results.file("tables").iterdir()} == tables


def test_timings_without_a_line(results):
    results.file("timings/twice.jsonl").write_bytes(b"")
    assert "twice.jsonl: is empty" in results.refusal("tables")


@pytest.mark.parametrize(
    ("name", "remedy"),
    [
        ("machine.json", "Delete it and run again with"),
        ("kernels/twice.json", "Delete it and run again with"),
        ("timings/twice.jsonl", "Delete it and run again with"),
        ("tables/winners.csv", "Make the tables again: python -m accelbench tables --machine local --results "),
        ("identity.json", ""),  # the remedy depends on the damage
    ],
)
def test_damaged_result_stops_a_run_before_anything_starts(results, no_start, name, remedy):
    path = results.file(name)
    whole = path.read_bytes()
    for text in (whole[: len(whole) // 2], b"", b"3"):
        path.write_bytes(text)
        message = refused_run(results)
        assert str(path) in message
        assert remedy in message


GARBAGE = {
    "a number": b"3",
    "a word": b'"case"',
    "a list": b'["case", "run"]',
    "nothing": b"null",
    "binary": bytes(range(256)),
    "zeros": bytes(100),
    "deep": b"[" * 100_000,
    "empty": b"{}",
    "no more than a case": b'{"case":"x"}',
    "a run that is none": b'{"run":3}',
}


def test_journal_garbage_is_passed_over_and_nothing_else_is_lost(results):
    path = results.file("journal/twice.1.jsonl")
    whole = path.read_bytes()
    before = Journal(path).read()
    path.write_bytes(b"\n".join([*GARBAGE.values(), whole]))
    after = Journal(path).read()
    assert (after.entries, after.runs) == (before.entries, before.runs)
    told = {number for number, _ in after.damaged}
    lines = path.read_bytes().split(b"\n")
    assert told == {i + 1 for i, line in enumerate(lines) if line.strip() and line not in whole.split(b"\n")}
    result = results.invoke("measure", "twice")
    assert result.exit_code == 0
    assert path.read_bytes() == b"\n".join([*GARBAGE.values(), whole]), "cases were measured again"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"samples_s":[', b'"samples_s":["x",'),
        (b'"samples_s":[', b'"samples_s":[0.0,'),
        (b'"samples_s":[', b'"samples_s":[NaN,'),
        (b'"samples_s":[', b'"samples_s":[1e-13,'),
        (b'"max_error":', b'"largest_error":'),
        (b'"max_error":', b'"max_error":1.0,"other":'),
        (b'"timings":{"compute":', b'"timings":{"call":'),
        (b'"timings":{', b'"timings":[],"others":{'),
        (b'"outcome":"ok"', b'"outcome":"fine"'),
        (b'"repetition":', b'"repetition":3,"other":'),
    ],
)
def test_edited_journal_entry_is_measured_again(results, old, new):
    path = results.file("journal/twice.1.jsonl")
    lines = path.read_bytes().splitlines(keepends=True)
    place = next(i for i, line in enumerate(lines) if b'"outcome":"ok"' in line)
    lines[place] = lines[place].replace(old, new)
    path.write_bytes(b"".join(lines))
    assert [number for number, _ in Journal(path).read().damaged] == [place + 1]
    assert results.invoke("measure", "twice").exit_code == 0
    assert path.read_bytes().startswith(b"".join(lines))
    assert len(path.read_bytes().splitlines()) > len(lines)
    assert {record["outcome"] for record in results.outcomes().values()} == {"ok", "unsupported"}


def test_journal_joined_with_itself_counts_each_repetition_once(results):
    path = results.file("journal/twice.1.jsonl")
    path.write_bytes(path.read_bytes() * 2)
    assert results.invoke("measure", "twice").exit_code == 0
    assert {len(record["repetitions"]) for record in results.outcomes().values()} == {1}
