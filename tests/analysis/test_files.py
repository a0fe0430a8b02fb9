"""Tests of the files of tables, written from damaged results and from arbitrary results."""

import csv
import json
import random

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pretended_results import MACHINE, METADATA, REPETITIONS, record, save
from read_results import write_tables

from accelbench.analysis import Analysis, frames, verdicts
from accelbench.errors import InputError
from accelbench.model.machine import Machine
from accelbench.model.metadata import KernelMetadata
from accelbench.model.results import Results
from accelbench.store.load import load_records


def test_files_hold_the_frames_whatever_the_order_of_lines(tmp_path):
    generator = random.Random(4)
    records = [
        record(name, n, dtype=dtype, compute=[generator.uniform(1e-9, 1) for _ in REPETITIONS], bytes_read=n * 8.0)
        for name in ("numpy_thing", "cffi_api", "numba_njit")
        for n in (7, 1000, 10**8)
        for dtype in ("float32", "float64")
    ]
    records.append(record("cffi_abi", outcome="error").model_copy(update={"reason": 'said "no", then\nä ;, quit'}))
    folder = save(tmp_path / "one", *records)
    found = write_tables(folder)
    again = pd.read_parquet(folder / "tables" / "timings.parquet")
    pd.testing.assert_frame_equal(again, found["timings"])
    with (folder / "tables" / "timings.csv").open(newline="", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    for name in ("compute_s", "speedup", "speedup_ci_low", "bandwidth_gb_s"):
        assert [float(row[name] or "nan") for row in rows] == pytest.approx(list(found["timings"][name]), 0, 0, True)
    assert [row["reason"] or None for row in rows] == [None if pd.isna(r) else r for r in found["timings"]["reason"]]
    generator.shuffle(records)
    other = tmp_path / "other"
    write_tables(save(tmp_path / "two", *records), other)
    for file in sorted((folder / "tables").glob("*.csv")):
        assert (other / file.name).read_bytes() == file.read_bytes(), file.name
    assert not (tmp_path / "two" / "tables").exists()


def spoil_line(number, change):
    def spoil(folder):
        path = folder / "timings" / "thing.jsonl"
        lines = path.read_text().splitlines(keepends=True)
        lines[number] = change(lines[number])
        path.write_text("".join(lines))

    return spoil


def edited(**fields):
    return lambda line: json.dumps(json.loads(line) | fields) + "\n"


def shorten_rounds(line):
    value = json.loads(line)
    value["timings"]["compute"]["rounds"].pop()
    return json.dumps(value) + "\n"


OF_OK_ALONE = {
    **dict.fromkeys(("occupancy", "registers", "energy_j", "cores_used", "max_error", "tolerance"), 1),
    **{"inputs_replaced": False, "noisy": True, "errors": {"y": [0.0, 1.0]}},
}


@pytest.mark.parametrize(
    ("spoil", "place", "words"),
    [
        (spoil_line(1, lambda line: line[: len(line) // 2]), "thing.jsonl:2", ("cut", "make report")),
        (spoil_line(0, lambda line: "[1, 2]\n"), "thing.jsonl:1", ("object",)),
        (spoil_line(0, edited(schema_version=3)), "thing.jsonl:1", ("schema_version 3", "not 2")),
        (spoil_line(1, edited(outcome="fine")), "thing.jsonl:2", ("outcome",)),
        (spoil_line(1, edited(extra=1)), "thing.jsonl:2", ("extra",)),
        (spoil_line(1, shorten_rounds), "thing.jsonl:2", ("timings.compute", "different lengths")),
        (spoil_line(1, edited(outcome="crashed")), "thing.jsonl:2", ("timings", "must be absent", "crashed")),
        *(
            (spoil_line(2, edited(**{name: value})), "thing.jsonl:3", (name, "must be absent", "timeout"))
            for name, value in OF_OK_ALONE.items()
        ),
        (spoil_line(1, edited(machine="there")), "thing.jsonl:2", ("'there'", "'here'")),
        (spoil_line(1, edited(implementation="numpy_thing")), "thing.jsonl:2", ("repeats", "thing.jsonl:1")),
        (lambda folder: (folder / "machine.json").unlink(), "", ("has no machine.json", "accelbench run")),
        (lambda folder: (folder / "machine.json").write_text("{"), "machine.json", ("not complete JSON",)),
        (lambda folder: (folder / "kernels" / "thing.json").unlink(), "thing.json", ("cannot be read",)),
        (lambda folder: (folder / "kernels" / "thing.json").write_text("{}"), "thing.json", ("schema_version None",)),
        (lambda folder: (folder / "timings" / "thing.jsonl").unlink(), "timings", ("no measurements", "make report")),
    ],
)
def test_damage_is_one_error_and_writes_nothing(tmp_path, spoil, place, words):
    records = [
        record("numpy_thing", compute=1.0),
        record("cffi_api", compute=2.0),
        record("cffi_abi", outcome="timeout"),
    ]
    folder = save(tmp_path, *records)
    write_tables(folder)
    before = {path: path.read_bytes() for path in (folder / "tables").iterdir()}
    spoil(folder)
    with pytest.raises(InputError) as error:
        write_tables(folder)
    assert error.value.where.endswith(place)
    assert all(word in str(error.value) for word in words), str(error.value)
    assert error.value.remedy
    assert {path: path.read_bytes() for path in (folder / "tables").iterdir()} == before


def test_load_records_returns_what_was_written(tmp_path):
    records = [record("numpy_thing", compute=1.0), record("cffi_api", outcome="crashed")]
    assert load_records(save(tmp_path, *records)) == records


def test_not_a_folder(tmp_path):
    with pytest.raises(InputError, match="no measurements"):
        load_records(tmp_path / "nowhere")


repetition_sets = st.sampled_from([("p1",), ("p1", "p2", "p3"), ("p2", "p3"), ("q1", "q2")])
any_case = st.builds(
    lambda name, size, threads, block, repetitions, seconds, outcome: (
        (name, size, threads, block),
        {"repetitions": repetitions, "compute": [seconds] * len(repetitions), "outcome": outcome},
    ),
    st.sampled_from(["numpy_thing", "cffi_api", "pyopencl_raw"]),
    st.sampled_from([0, 1, 1000]),
    st.sampled_from([None, 1, 2]),
    st.sampled_from([None, 64, [16, 16]]),
    repetition_sets,
    st.floats(1e-9, 100),
    st.sampled_from(["ok", "ok", "ok", "timeout"]),
)


@pytest.mark.processes
@settings(deadline=None, max_examples=60)
@given(planned=st.lists(any_case, min_size=1, max_size=12, unique_by=lambda case: str(case[0])))
def test_tables_of_anything_have_every_case_and_consistent_choices(planned):
    records = []
    for (name, size, threads, block), values in planned:
        parameters = {} if block is None else {"block_size": block}
        if values["outcome"] != "ok":
            values = {"outcome": values["outcome"]}
        records.append(record(name, size, threads=threads, parameters=parameters, **values))
    found = frames.make(Analysis(Results(Machine(**MACHINE), {"thing": KernelMetadata(**METADATA)}, records)))
    timings = found["timings"]
    assert len(timings) == timings["case"].nunique() == found["outcomes"]["cases"].sum() == len(records)
    assert set(timings["verdict"].dropna()) <= set(verdicts.VERDICTS)
    repeated = timings["repetitions"] >= 2
    assert not timings["verdict"].notna()[~repeated].any()
    for row in found["winners"].itertuples():
        assert (row.decision == "winner") == (not pd.isna(row.winner))
        assert (row.decision in ("winner", "tie")) == (not pd.isna(row.tie))
        assert (row.decision == "no_result") == (row.candidates == 0)
        if row.decision == "winner":
            assert row.tie == row.winner == row.fastest
            assert row.tie_cases == row.case
    assert set(found["best"]["case"]) <= set(timings["case"][timings["outcome"] == "ok"])
    overtaken = found["crossover"]
    assert list(overtaken["compared_sizes"] > 0) == list(overtaken["crossover"].notna())
