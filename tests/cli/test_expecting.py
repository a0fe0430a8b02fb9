"""What a run is expected to take, against what published ones took; what is left of one, against the clock."""

import os
import re
import shutil
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from accelbench import config as configuration
from accelbench import project
from accelbench.cli import expecting
from accelbench.config import select
from accelbench.measure import expected, left
from accelbench.model.metadata import RecordedConfig
from accelbench.store import files, formats

EXAMPLES = project.ROOT / "reports" / "examples"


def expect(name, machine, folder, **options):
    """The ExpectedRun of a configuration on a published machine that has no results yet."""
    config = configuration.read(project.ROOT / "config" / f"{name}.yaml")
    described = folder / "results" / "local" / "machine.json"
    described.parent.mkdir(parents=True)
    shutil.copyfile(EXAMPLES / machine / "machine.json", described)
    return expecting.expect(config, select.plan(config, name)[0], folder, cores="all", **options)


def took(machine):
    """{kernel: seconds that each of its repetitions took, on average} of a published machine's sweeps."""
    seconds = {}
    for path in sorted((EXAMPLES / machine / "kernels").glob("*.json")):
        runs = [run for run in formats.read_metadata(path, "").runs if "lecture measure" not in run.command]
        numbers = {(run.started, *re.findall(r"-r(\d+)g", each)) for run in runs for each in run.repetitions}
        seconds[path.stem] = sum(run.wall_s for run in runs) / len(numbers)
    return seconds


@pytest.mark.parametrize(("config", "machine"), [("config", "cpu"), ("config", "h200"), ("today", "cpu-today")])
def test_without_journals_it_is_within_a_third_of_what_published_sweeps_took(config, machine, tmp_path):
    repetitions = {}
    for job, seconds in expect(config, machine, tmp_path, lectures=False).jobs.items():
        if job.parts[-3] == "repetitions":
            repetitions.setdefault(job.parts[-2], []).append(seconds - expecting.JOB_S)
    known = took(machine)
    wanted = {kernel: known[kernel] * len(each) for kernel, each in repetitions.items() if kernel in known}
    assert len(wanted) >= 4
    assert sum(sum(repetitions[kernel]) for kernel in wanted) == pytest.approx(sum(wanted.values()), rel=0.3)


def test_lectures_on_two_cores_take_between_a_quarter_and_half_an_hour(tmp_path):
    """They took 17 minutes and a half on the published machine, before there were figures of today's ways."""
    run = expect("lecture", "cpu", tmp_path, lectures=True)
    published = {path.name for path in (EXAMPLES / "cpu" / "lectures").iterdir()}
    later = [job for job in run.jobs if "lectures" in job.parts and job.parent.name not in published]
    seconds = run.seconds - sum(run.jobs[job] for job in later)
    assert 0.7 * 17.5 < seconds / 60 < 1.3 * 17.5
    assert run.gpu_seconds == 0
    assert not run.by_journal


def test_a_gpu_has_its_part_of_the_time(tmp_path):
    run = expect("config", "h200", tmp_path, lectures=False)
    assert 0.5 * run.seconds < run.gpu_seconds < run.seconds
    assert re.fullmatch(r"To measure: \d+ cases, about \d+ min, about \d+ min of it on GPUs \(by the .*\)", str(run))


def test_a_machine_is_looked_at_again_where_its_description_says_nothing_of_a_backend(tmp_path, monkeypatch):
    monkeypatch.setattr(expecting, "describe", lambda name, config: "anew")
    known = files.read_json(EXAMPLES / "cpu" / "machine.json")
    config = configuration.Config()
    assert expecting._machine(config, "local", tmp_path) == "anew"
    files.write_json(tmp_path / "machine.json", known)
    assert expecting._machine(config, "local", tmp_path).hardware
    own = config.model_copy(update={"environments": {"numba@0.67": configuration.model.OwnPython()}})
    assert expecting._machine(own, "local", tmp_path) == "anew"
    del known["backends"]["cython"]
    files.write_json(tmp_path / "machine.json", known)
    assert expecting._machine(config, "local", tmp_path) == "anew"


def measuring(cases, wall_s, **protocol):
    return SimpleNamespace(cases=cases, wall_s=wall_s, config=RecordedConfig(protocol=protocol))


def test_journals_of_the_same_protocol_decide():
    config = SimpleNamespace(protocol=configuration.Protocol(budget_s=0.5))
    like = configuration.Protocol(budget_s=0.5, repetitions=9, seed=1).model_dump(mode="json")
    runs = [measuring(10, 20.0, **like), measuring(30, 40.0, **like), measuring(10, 999.0, **like | {"budget_s": 0.1})]
    assert expected.seconds_per_case(runs, config) == 60 / 40
    assert expected.seconds_per_case(runs[2:], config) is None
    assert expected.seconds_per_case([measuring(0, 3.0, **like)], config) is None


def test_what_is_left_follows_what_the_jobs_so_far_have_taken(tmp_path):
    """Half of what was expected is done, in twice the time."""
    jobs = {str(tmp_path / name): 1000.0 for name in "abcd"}
    begun = time.time() - 4000
    for name in "abc":
        files.write(tmp_path / name, "")
    os.utime(tmp_path / "c", (begun - 10, begun - 10))  # of a run before
    whole = left.look(begun, jobs)
    assert (whole.done, whole.jobs) == (2, 4)
    assert whole.left_s == pytest.approx(4000, rel=0.03)
    assert str(whole) == "about 66 min left of the whole run (2 of 4 jobs are done)"
    for name in "cd":
        files.write(tmp_path / name, "")
    assert left.look(begun, jobs) is None


def test_jobs_find_what_is_expected_of_the_run(tmp_path, monkeypatch):
    monkeypatch.setenv(left.EXPECTED, "")  # which is taken back in the end
    left.whole.cache_clear()
    assert left.whole() is None
    left.write(tmp_path / "expected.json", {tmp_path / "a": 90.0, tmp_path / "b": 60.0})
    left.whole.cache_clear()
    assert str(left.whole()) == "about 2 min left of the whole run (0 of 2 jobs are done)"
    left.whole.cache_clear()


@pytest.mark.parametrize("words", [["results/local/machine.json"], ["--lint"]])
def test_nothing_is_known_of_single_results(words):
    config = configuration.Config()
    assert expecting.tell(config, {}, Path(), asked=expecting.AskedRun(words, "all", True, [])) == ""


@pytest.mark.parametrize("words", [["-n"], ["lecture", "--dry-run"], ["all", "-n"]])
def test_a_dry_run_tells_it_before_snakemake_begins_and_in_the_end(words, monkeypatch, capsys):
    expected_run = expecting.ExpectedRun({}, {("local", "a case")}, 90.0, 0.0, True)
    monkeypatch.setattr(expecting, "expect", lambda *_, **__: expected_run)
    told = expecting.tell(configuration.Config(), {}, Path(), asked=expecting.AskedRun(words, "all", True, []))
    assert (capsys.readouterr(), told) == ((f"{expected_run}\n", ""), f"{expected_run}\n")
