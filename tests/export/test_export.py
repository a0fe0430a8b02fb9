"""Tests of export formats: pyperf and pandas read them back."""

import io
import json
import os
import shutil
import subprocess
import sys
from functools import partial

import command_line
import pandas as pd
import pretended_results.cpu
import pyperf
import pytest

from accelbench import export, project
from accelbench.analysis import Analysis, frames
from accelbench.errors import InputError
from accelbench.model.record import case_id
from accelbench.store.load import load_results

ADDED_FORMAT = """
from accelbench.model.record import case_id

holds = bool

def document(results):
    return "\\n".join(map(case_id, results.records))
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return pretended_results.cpu.write(tmp_path_factory.mktemp("results") / "local")


@pytest.fixture(scope="module")
def results(folder):
    return load_results(folder)


@pytest.fixture
def exported(folder, tmp_path):
    """Return a function that writes the results in a format, and returns the file's path."""

    def write(form):
        path = tmp_path / f"{form}.out"
        export.export(folder, form, path)
        return path

    return write


def timed(results):
    return [record for record in results.records if record.outcome == "ok"]


invoke = partial(command_line.invoke, "export")


def test_pyperfs_own_loader_finds_every_sample(results, exported):
    suite = pyperf.BenchmarkSuite.load(str(exported("pyperf")))
    assert len(suite) == len(timed(results))
    for record in timed(results):
        benchmark = suite.get_benchmark(case_id(record))
        timing = record.timings["compute"]
        assert [list(run.values) for run in benchmark.get_runs()] == timing.samples_s
        assert [run.get_loops() for run in benchmark.get_runs()] == timing.loops
        assert benchmark.get_unit() == "second"
    assert suite.get_metadata()["cpu_model_name"] == results.machine.cpu.model


def test_pyperf_compares_two_exports(exported, tmp_path):
    other = pretended_results.cpu.write(tmp_path / "other", seed=8, kernels=("vector_sum",))
    export.export(other, "pyperf", tmp_path / "other.json")
    command = [sys.executable, "-m", "pyperf", "compare_to", exported("pyperf"), tmp_path / "other.json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert "Geometric mean" in done.stdout


@pytest.mark.processes
@pytest.mark.parametrize(("form", "read"), [("csv", pd.read_csv), ("parquet", pd.read_parquet)])
def test_tables_hold_every_case(results, exported, form, read):
    expected = frames.frame(Analysis(results), "timings")
    found = read(io.BytesIO(exported(form).read_bytes()))
    assert list(found.columns) == list(expected.columns)
    assert list(found["case"]) == list(expected["case"])
    assert found["compute_s"].to_numpy() == pytest.approx(expected["compute_s"].to_numpy(), nan_ok=True)


@pytest.mark.processes
@pytest.mark.parametrize("form", export.FORMATS)
def test_every_format_works_from_the_command_line_and_says_what_it_leaves_out(folder, tmp_path, form):
    path = tmp_path / "new" / "exported"
    result = invoke(folder, "--format", form, "--output", path)
    assert result.exit_code == 0, result.output
    assert path.stat().st_size > 1000
    assert ("left out" in result.stderr) == (form not in ("csv", "parquet"))


def test_standard_output_holds_the_document_alone(folder):
    result = invoke(folder, "--format", "pyperf")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["version"] == "1.0"


def test_a_format_that_is_added_is_one_file(folder, tmp_path):
    package = shutil.copytree(project.ROOT / "workflow" / "accelbench", tmp_path / "accelbench")
    (package / "export" / "formats" / "case_names.py").write_text(ADDED_FORMAT)
    command = [sys.executable, "-m", "accelbench", "export", folder, "--format", "case-names"]
    done = subprocess.run(command, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(tmp_path)}, capture_output=True)
    assert done.returncode == 0, done.stderr
    names = [case_id(record) for record in load_results(folder).records]
    assert done.stdout.decode().splitlines() == names


# Bad input


def test_an_unknown_format_is_refused(folder):
    result = invoke(folder, "--format", "xml")
    assert result.exit_code == 2
    assert "Known: csv, parquet, pyperf" in result.stderr


def test_a_binary_format_wants_a_file(folder):
    result = invoke(folder, "--format", "parquet")
    assert result.exit_code == 2
    assert "--output timings.parquet" in result.stderr


@pytest.mark.parametrize("form", export.FORMATS)
def test_results_that_are_not_there_are_one_message(tmp_path, form):
    result = invoke(tmp_path / "nowhere", "--format", form, "--output", tmp_path / "out")
    assert result.exit_code == 2
    assert "nowhere" in result.stderr
    assert result.stderr.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_result_files_are_not_written_over(folder):
    kept = folder / "machine.json"
    before = kept.read_bytes()
    result = invoke(folder, "--format", "csv", "--output", kept)
    assert result.exit_code == 2
    assert "is a result file" in result.stderr
    assert kept.read_bytes() == before


def test_results_without_any_time_have_nothing_to_export(folder, tmp_path):
    copy = tmp_path / "failed"
    shutil.copytree(folder, copy)
    for path in (copy / "timings").iterdir():
        failed = [line for line in path.read_text().splitlines() if '"outcome":"ok"' not in line]
        path.write_text("\n".join(failed) + "\n") if failed else path.unlink()
    with pytest.raises(InputError, match="no case that"):
        export.export(copy, "pyperf", tmp_path / "out")
    assert export.export(copy, "csv", tmp_path / "out")[0] > 0
