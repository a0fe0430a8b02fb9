"""Interchange formats: read back by their own tools where there are any, else held against their documentation."""

import importlib.util
import io
import json
import math
import os
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import jsonschema
import pandas as pd
import pyperf
import pytest
import synthetic_results
from typer.testing import CliRunner

from accelbench import export, project
from accelbench.analysis import Analysis, frames
from accelbench.analysis.tables.timings import TimingRow
from accelbench.cli import commands
from accelbench.errors import InputError
from accelbench.export.formats import t4
from accelbench.model.record import OUTCOMES, case_id
from accelbench.statistics import median
from accelbench.store import files
from accelbench.store.load import load_results

# Where Debian's libbenchmark-tools has it.
COMPARE = Path("/usr/share/benchmark/compare.py")
NUMBER = {"type": "number"}

ADDED_FORMAT = """
from accelbench.model.record import case_id

holds = bool

def document(results):
    return "\\n".join(map(case_id, results.records))
"""

# What https://bencher.dev/docs/reference/bencher-metric-format asks for, in our words.
BMF = {
    "type": "object",
    "minProperties": 1,
    "propertyNames": {"maxLength": 1024},
    "additionalProperties": {
        "type": "object",
        "propertyNames": {"pattern": "^[a-z-]{1,64}$"},
        "additionalProperties": {
            "type": "object",
            "properties": {"value": NUMBER, "lower_value": NUMBER, "upper_value": NUMBER},
            "additionalProperties": False,
            "required": ["value"],
        },
    },
}
# What the auto-tuning community's results-schema.json, 1.0.0, and Kernel Tuner's reader of it ask for, in our words.
T4 = {
    "type": "object",
    "properties": {
        "schema_version": {"const": "1.0.0"},
        "results": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["configuration", "times", "invalidity", "correctness"],
                "properties": {
                    "timestamp": {"type": "string"},
                    "configuration": {"type": "object", "additionalProperties": {"type": ["number", "string"]}},
                    "objectives": {"type": "array", "items": {"type": "string"}},
                    "times": {
                        "type": "object",
                        "properties": {"runtimes": {"type": "array", "items": NUMBER}, "compilation_time": NUMBER},
                    },
                    "invalidity": {
                        "enum": ["timeout", "compile", "runtime", "correctness", "constraints", "correct"],
                    },
                    "correctness": NUMBER,
                    "measurements": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "properties": {"name": {"type": "string"}, "value": NUMBER, "unit": {"type": "string"}},
                        },
                    },
                },
            },
        },
    },
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return synthetic_results.write(tmp_path_factory.mktemp("results") / "local")


@pytest.fixture(scope="module")
def results(folder):
    return load_results(folder)


@pytest.fixture
def exported(folder, tmp_path):
    """A function from a format's name to the file with the results in it."""

    def write(form):
        path = tmp_path / f"{form}.out"
        export.export(folder, form, path)
        return path

    return write


def timed(results):
    return [record for record in results.records if record.outcome == "ok"]


def invoke(*arguments):
    return CliRunner().invoke(commands.app, ["export", *map(str, arguments)])


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
    other = synthetic_results.write(tmp_path / "other", seed=8, kernels=("vector_sum",))
    export.export(other, "pyperf", tmp_path / "other.json")
    command = [sys.executable, "-m", "pyperf", "compare_to", exported("pyperf"), tmp_path / "other.json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert "Geometric mean" in done.stdout


def test_google_benchmark_has_the_fields_that_its_tools_read(results, exported):
    document = json.loads(exported("google-benchmark").read_text())
    assert {"date", "host_name", "executable", "num_cpus", "caches", "load_avg"} <= document["context"].keys()
    runs = document["benchmarks"]
    for record in timed(results):
        own = [run for run in runs if run["run_name"] == case_id(record)]
        timing = record.timings["compute"]
        assert [run["repetition_index"] for run in own] == list(range(len(record.repetitions)))
        assert {run["repetitions"] for run in own} == {len(record.repetitions)}
        assert [run["real_time"] for run in own] == pytest.approx([median(s) * 1e9 for s in timing.samples_s])
        assert [run["iterations"] for run in own] == [
            loops * len(s) for loops, s in zip(timing.loops, timing.samples_s, strict=True)
        ]
    assert {(run["run_type"], run["time_unit"]) for run in runs} == {("iteration", "ns")}
    assert all(run["name"] == run["run_name"] and run["cpu_time"] > 0 and run["threads"] >= 1 for run in runs)
    places = Counter((run["family_index"], run["per_family_instance_index"], run["repetition_index"]) for run in runs)
    assert set(places.values()) == {1}


@pytest.mark.skipif(not COMPARE.exists(), reason="Google Benchmark's compare.py is not here: libbenchmark-tools")
def test_google_benchmarks_compare_reads_it(exported):
    path = exported("google-benchmark")
    command = [sys.executable, COMPARE, "--no-color", "benchmarks", path, path]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert "OVERALL_GEOMEAN" in done.stdout


def test_bmf_is_as_bencher_documents_it(results, exported):
    document = json.loads(exported("bmf").read_text())
    jsonschema.validate(document, BMF)
    assert document.keys() == {case_id(record) for record in timed(results)}
    record = timed(results)[0]
    metric, timing = document[case_id(record)]["latency"], record.timings["compute"]
    assert metric["value"] == pytest.approx(timing.median_s * 1e9)
    assert metric["lower_value"] <= metric["value"] <= metric["upper_value"]


def test_an_interval_without_ends_is_left_out_of_bmf(results):
    record = timed(results)[0]
    boundless = record.timings["compute"].model_copy(update={"ci_low_s": -math.inf, "ci_high_s": math.inf})
    record = record.model_copy(update={"timings": {"compute": boundless}})
    from accelbench.export.formats import bmf

    assert bmf._metric(record).keys() == {"value"}


def test_t4_is_as_its_schema_says_and_tells_why_a_configuration_is_invalid(results, exported):
    document = json.loads(exported("t4").read_text())
    jsonschema.validate(document, T4)
    tried = [record for record in results.records if record.outcome != "unavailable"]
    assert len(document["results"]) == len(tried)
    for record, result in zip(tried, document["results"], strict=True):
        assert (result["invalidity"] == "correct") == (record.outcome == "ok") == bool(result["times"]["runtimes"])
        assert result.get("reason") == record.reason
        assert result["configuration"]["implementation"] == record.implementation
    kinds = {record.outcome: result["invalidity"] for record, result in zip(tried, document["results"], strict=True)}
    assert kinds["build_failed"] == "compile"
    assert {kinds[outcome] for outcome in kinds.keys() - t4.INVALIDITY.keys()} == {"runtime"}
    assert kinds["wrong_result"] == "correctness"
    assert kinds["unsupported"] == "constraints"
    blocks = [result["configuration"] for result in document["results"] if "block_size_x" in result["configuration"]]
    assert {(c["block_size_x"], c["block_size_y"]) for c in blocks if "block_size_y" in c} == {(8, 8), (16, 16)}


def test_t4_words_are_those_of_outcomes():
    assert t4.INVALIDITY.keys() < set(OUTCOMES)


@pytest.mark.skipif(not importlib.util.find_spec("kernel_tuner"), reason="kernel_tuner is not installed")
def test_t4_passes_kernel_tuners_schema(exported):
    place = Path(importlib.util.find_spec("kernel_tuner").origin).parent / "schema" / "T4" / "1.0.0"
    schema = files.read_json(place / "results-schema.json")
    jsonschema.validate(json.loads(exported("t4").read_text()), schema)


@pytest.mark.parametrize(("form", "read"), [("csv", pd.read_csv), ("parquet", pd.read_parquet)])
def test_tables_hold_every_case(results, exported, form, read):
    expected = frames.frame(Analysis(results), TimingRow)
    found = read(io.BytesIO(exported(form).read_bytes()))
    assert list(found.columns) == list(expected.columns)
    assert list(found["case"]) == list(expected["case"])
    assert found["compute_s"].to_numpy() == pytest.approx(expected["compute_s"].to_numpy(), nan_ok=True)


@pytest.mark.parametrize("form", export.FORMATS)
def test_every_format_works_from_the_command_line_and_says_what_it_leaves_out(folder, tmp_path, form):
    path = tmp_path / "new" / "exported"
    result = invoke(folder, "--format", form, "--output", path)
    assert result.exit_code == 0, result.output
    assert path.stat().st_size > 1000
    assert ("left out" in result.stderr) == (form not in ("csv", "parquet"))


def test_standard_output_holds_the_document_alone(folder):
    result = invoke(folder, "--format", "bmf")
    assert result.exit_code == 0
    jsonschema.validate(json.loads(result.stdout), BMF)


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
    assert "google-benchmark" in result.stderr


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
    for form in ("pyperf", "google-benchmark", "bmf"):
        with pytest.raises(InputError, match="no case that"):
            export.export(copy, form, tmp_path / "out")
    assert export.export(copy, "t4", tmp_path / "out")[0] > 0
