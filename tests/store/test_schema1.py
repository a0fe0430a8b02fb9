"""Results of schema version 1 and their tables, as written then: the same numbers under the words of today."""

import io
import json
import shutil
from pathlib import Path

import pandas as pd
import pytest
from typer.testing import CliRunner

from accelbench import project
from accelbench.cli.app import app
from accelbench.errors import InputError
from accelbench.store import files, formats, schema1
from accelbench.store.journal import Journal
from accelbench.store.load import load_results

HERE = Path(__file__).parent / "schema1"
FILES = {"limits.csv": "peaks.csv"}
COLUMNS = {
    "sittings": "repetitions",
    "limit": "peak",
    "fraction_of_limit": "fraction_of_peak",
    "unsettled": "undetermined",
}


def in_words_of_today(text):
    """A table of before with its columns, kernels and implementations renamed, line by line."""
    header, *lines = text.splitlines()
    renamed = [",".join(COLUMNS.get(column, column) for column in header.split(","))]
    for line in lines:
        if "inside_polygon" in line:
            line = line.replace("pyopencl_raw", "pyopencl_raw_runs")
        renamed.append(line.replace("limit_read", "peak_read").replace("limit_triad", "peak_triad"))
    return "\n".join(renamed) + "\n"


@pytest.fixture
def results(tmp_path):
    shutil.copytree(HERE, tmp_path / "cpu", ignore=shutil.ignore_patterns("tables"))
    return tmp_path / "cpu"


# {table: columns that say something else of the same samples by today's statistics}; all others hold what they held.
SPEEDUP = "speedup speedup_ci_low speedup_ci_high"
JUDGED = {
    "best": f"block_size compute_s {SPEEDUP} verdict tie implausible case",
    "regret": "default_s best_block_size best_s regret regret_ci_low regret_ci_high verdict tie case",
    "timings": f"{SPEEDUP} speedup_end_to_end speedup_end_to_end_ci_low speedup_end_to_end_ci_high speedup_call "
    "speedup_call_ci_low speedup_call_ci_high speedup_same_threads speedup_same_threads_ci_low "
    "speedup_same_threads_ci_high fraction_of_peak verdict implausible",
    "winners": "decision winner tie tie_cases",
}
# {table: columns that it did not have}
SINCE = {
    "best": "baseline speedup_next_low speedup_next_high",
    "timings": "throughput_s synchronises unseen speedup_next_low speedup_next_high speedup_throughput "
    "speedup_throughput_ci_low speedup_throughput_ci_high fraction_ci_low fraction_ci_high",
    "winners": "baseline speedup_next_low speedup_next_high",
}


def tables(folder):
    ended = CliRunner().invoke(app, ["tables", "--machine", "cpu", "--results", str(folder.parent)])
    assert ended.exit_code == 0, ended.output
    return {path.name: path.read_bytes() for path in sorted((folder / "tables").glob("*.csv"))}


def cells(text):
    return pd.read_csv(io.StringIO(text), dtype=str, keep_default_na=False)


def test_tables_are_the_old_ones_in_words_of_today(results):
    """Row by row and digit by digit, but for what is judged otherwise."""
    made = {name.removesuffix(".csv"): cells(text.decode()) for name, text in tables(results).items()}
    old = {
        FILES.get(path.name, path.name).removesuffix(".csv"): cells(in_words_of_today(path.read_text()))
        for path in (HERE / "tables").glob("*.csv")
    }
    assert made.keys() == old.keys() | {"steps"}  # which there was none of
    assert len(old) == 11
    for name, before in old.items():
        judged, since = JUDGED.get(name, "").split(), SINCE.get(name, "").split()
        now = made[name].drop(columns=since)
        assert list(now) == list(before), name
        pd.testing.assert_frame_equal(now.drop(columns=judged), before.drop(columns=judged), obj=name)


def test_tables_are_those_of_the_same_results_in_version_2(results, tmp_path):
    """Byte by byte, wherever the results have been read and written again."""
    found, again = load_results(results), tmp_path / "again" / "cpu"
    formats.write(again / "machine.json", found.machine)
    for kernel, metadata in found.kernels.items():
        formats.write(again / "kernels" / f"{kernel}.json", metadata)
        lines = [record.model_dump_json() for record in found.records if record.kernel == kernel]
        files.write(again / "timings" / f"{kernel}.jsonl", "\n".join(lines) + "\n")
    assert tables(again) == tables(results)


def test_a_journal_of_version_1_is_whole(tmp_path):
    line = {
        "written": "",
        "case": "a",
        "key": "k",
        "sitting": "s",
        "outcome": "timeout",
        "reason": "",
        "result": {"timeout_s": 1},
    }
    path = tmp_path / "journal" / "a.jsonl"
    path.parent.mkdir()
    path.write_text(json.dumps(line) + "\n")
    journal = Journal(path).read()
    assert not journal.damaged
    assert [entry.repetition for entry in journal.entries["a", "k"]] == ["s"]


@pytest.mark.parametrize(
    ("file", "damage", "told"),
    [
        ("machine.json", lambda value: value.pop("backends"), "is none of schema_version 1: KeyError"),
        ("machine.json", lambda value: value.update(backends=[]), "is none of schema_version 1: AttributeError"),
        ("machine.json", lambda value: value.pop("room"), "system_state: Field required"),
        ("kernels/limit_read.json", lambda value: value.update(implementations=3), "is none of schema_version 1"),
        ("kernels/limit_read.json", lambda value: value.pop("title"), "title: Field required"),
    ],
)
def test_damage_is_one_error(results, file, damage, told):
    value = json.loads((results / file).read_text())
    damage(value)
    (results / file).write_text(json.dumps(value))
    with pytest.raises(InputError, match=told):
        load_results(results)


def test_names_made_way_for_the_lectures_code():
    assert schema1.implementation("inside_polygon", "cupy_raw") == "cupy_raw_runs"
    assert schema1.implementation("cumsum", "numba_cuda_jit") == "numba_cuda_jit_two_launches"
    assert schema1.implementation("conjugate_gradient", "pycuda_raw") == "pycuda_raw_fused"
    assert schema1.implementation("copy", "numpy_copyto") == "numpy_copyto"
    assert schema1.implementation("a_kernel_of_ones_own", "cupy_raw") == "cupy_raw"


LATER = ("softmax", "sort")  # kernels that no results of schema 1 have


@pytest.mark.parametrize("suffix", ["packed", "fused"])
def test_every_tuned_implementation_beside_a_raw_one_is_what_the_plain_one_was(suffix):
    for file in sorted((project.ROOT / "kernels").glob(f"*/*_{suffix}.py")):
        kernel, plain = file.parent.name, file.stem.removesuffix(f"_{suffix}")
        older = plain in (*schema1.RAW, "numba_cuda_jit") and kernel not in LATER
        if older and file.with_name(f"{plain}.py").exists():
            assert schema1.implementation(kernel, plain) == file.stem, file
