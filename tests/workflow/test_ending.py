"""What the user sees of a run with failed parts, from its start to its report."""

import json
import shutil

import pytest
from command_line import shell
from place import KERNEL
from report_page import read_pages
from twice import write_config

from accelbench.machine.processor import available_cpus
from accelbench.store import files

FAILS = """
import os, sys
if sys.argv[1:2] == ["measure"] and sys.argv[sys.argv.index("--repetition") + 1] == os.environ.get("FAILS", "2"):
    raise RuntimeError("not twice")
"""
PROTOCOL = {"repetitions": 2, "budget_s": 0.01, "min_rounds": 5, "sample_s": 0.0005, "startup": False}


@pytest.mark.slow
@pytest.mark.e2e
@pytest.mark.skipif(available_cpus() < 2, reason="needs two cores, to run on one of them")
def test_after_a_repetition_that_failed_the_report_has_all_that_was_measured_on_the_cores_of_the_run(
    workplace, described
):
    """The run has one core, so cases of "all" threads use one thread."""
    kernel = workplace / "my kernels" / "twice"
    (kernel / "kernel.py").write_text(KERNEL.replace(', "float32"', ",") + FAILS)
    (kernel / "numpy_threads.py").write_text('"""Is."""\nPARAMETERS = ("threads",)\ndef run(x, y):\n    y[:] = x + x\n')
    write_config(workplace, protocol=PROTOCOL, threads=["all"])
    files.write_json(workplace / "results/local/machine.json", described)
    done = shell("accelbench", "run", "--configfile", "own.yaml", "--cores", "1", cwd=workplace)
    assert done.returncode == 1, done.stderr
    assert "Failed:   measuring twice, repetition 2: " in done.stdout
    assert "RuntimeError: not twice" in done.stdout
    lines = (workplace / "results/local/timings/twice.jsonl").read_text().splitlines()
    records = [json.loads(line) for line in lines]
    assert {(r["implementation"], r["threads"], r["outcome"]) for r in records} == {
        ("numpy_ufunc", 1, "ok"),
        ("numpy_threads", 1, "ok"),
    }
    assert "Twice" in read_pages(workplace / "reports/local/index.html")


@pytest.mark.slow
@pytest.mark.e2e
def test_what_a_failed_run_merged_is_no_end_where_all_had_been_merged_once(workplace, described, monkeypatch):
    """If a failed run merged some repetitions, the next complete run merges all repetitions again.

    By itself, Snakemake considers an output complete if some inputs are missing and all other inputs are unchanged.
    """
    (workplace / "my kernels" / "twice" / "kernel.py").write_text(KERNEL.replace(', "float32"', ",") + FAILS)
    write_config(workplace, protocol=PROTOCOL)
    files.write_json(workplace / "results/local/machine.json", described)
    results, repetitions = workplace / "results/local", []
    merged = results / "timings/twice.jsonl"  # requested alone, since pages take most of a run
    for fails, status in (("none", 0), ("2", 1), ("none", 0)):
        monkeypatch.setenv("FAILS", fails)
        done = shell("accelbench", "run", "--configfile", "own.yaml", merged.relative_to(workplace), cwd=workplace)
        assert done.returncode == status, done.stderr
        lines = merged.read_text().splitlines()
        repetitions.append({len(json.loads(line)["repetitions"]) for line in lines})
        if fails == "none":
            for name in ("journal", "repetitions", "timings", "kernels"):
                shutil.rmtree(results / name)
        else:
            shutil.rmtree(results / "repetitions")
    assert repetitions == [{2}, {1}, {2}]
