"""Test of a small sweep over two machines on a real SLURM with two nodes, one of which fails during a job."""

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest
import slurm_cluster as cluster
import yaml

from accelbench import project

REPETITIONS, SIZES = 2, [1000, 2000, 5000]
SWEEP = {
    "kernels": {"vector_sum": {"sizes": SIZES}},
    "implementations": ["cffi_api"],
    "dtypes": ["float64"],
    "threads": [1],
    "peaks": False,
    # Long samples, so that n1 fails during a measurement
    "protocol": {"repetitions": REPETITIONS, "budget_s": 1.5, "sample_s": 0.02, "startup": False},
    "machines": {
        "epyc": {"slurm_partition": "cpu", "constraint": "epyc"},
        "h100": {"slurm_partition": "gpu", "gpu": 1, "gpu_model": "h100"},
    },
}

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.slow,
    pytest.mark.skipif(cluster.obstacle() is not None, reason=str(cluster.obstacle())),
]


@contextlib.contextmanager
def snakemake(place, log, *arguments):
    """Yield a process of Snakemake with profiles/slurm, in the folder `place`."""
    command = [sys.executable, "-m", "snakemake", "--snakefile", project.SNAKEFILE, "--workflow-profile", "slurm"]
    command += ["--configfile", "sweep.yaml", "--slurm-no-account", "--slurm-status-command", "squeue"]
    command += ["--slurm-init-seconds-before-status-checks", "1", "--seconds-between-status-checks", "1", *arguments]
    with log.open("w") as stream:
        process = subprocess.Popen(command, cwd=place, stdout=stream, stderr=stream, start_new_session=True)
    try:
        yield process
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def jobs_of(jobs, rule, machine):
    """Return the SLURM jobs of a rule for a machine, in the format of cluster.Cluster.jobs."""
    return [job for job in jobs.values() if job["Comment"].startswith(f"rule_{rule}_wildcards_{machine}")]


def restarts(jobs, machine):
    """Return the numbers of restarts of a machine's measuring jobs, in ascending order."""
    return sorted(job["Restarts"] for job in jobs_of(jobs, "measure_kernel", machine))


@dataclass
class Swept:
    """Results of a sweep.

    place        folder of the sweep
    jobs         SLURM's jobs
    interrupted  {name: content} of the journals of n1's machine when n1 failed
    again        output of Snakemake when it was started again
    """

    place: Path
    jobs: dict
    interrupted: dict
    again: str

    def results(self, machine):
        return self.place / "results" / machine


@pytest.fixture(scope="module")
def swept(tmp_path_factory):
    place = tmp_path_factory.mktemp("swept")
    (place / "sweep.yaml").write_text(yaml.safe_dump(SWEEP))
    journals = place / "results" / "epyc" / "journal"
    log = place / "snakemake.log"
    with cluster.Cluster() as slurm:
        # The submit host declares one core, which must not affect jobs.
        with snakemake(place, log, "--cores", "1") as process:

            def ended():
                return process.poll() is not None

            def requeued():
                return "1" in restarts(slurm.jobs(), "epyc")

            cluster.wait_until(lambda: ended() or count_lines(journals) >= 2, "two entries in a journal", 180)
            assert not ended(), log.read_text()
            slurm.kill_node("n1")
            interrupted = {path.name: path.read_text() for path in journals.glob("*.jsonl")}
            cluster.wait_until(requeued, "the job to be queued again")
            slurm.start_node("n1")
            assert process.wait(200) == 0, log.read_text()
        jobs = slurm.jobs()
        with snakemake(place, place / "again.log", "--cores", "2") as process:
            assert process.wait(60) == 0
    return Swept(place, jobs, interrupted, (place / "again.log").read_text())


def count_lines(folder):
    return sum(path.read_bytes().count(b"\n") for path in folder.glob("*.jsonl"))


def entries_in(text):
    return [value for value in map(json.loads, text.splitlines()) if "case" in value]


@pytest.mark.parametrize(("machine", "node"), [("epyc", "n1"), ("h100", "n2")])
def test_every_job_of_a_machine_ran_on_a_node_of_its_type(swept, machine, node):
    for rule in ("describe_machine", "build_kernel", "measure_kernel"):
        jobs = jobs_of(swept.jobs, rule, machine)
        assert len(jobs) == (REPETITIONS if rule == "measure_kernel" else 1)
        assert {job["NodeList"] for job in jobs} == {node}
        logs = [path for path in swept.results(machine).rglob("*.log") if f"/logs/{rule}" in str(path)]
        assert len(logs) == len(jobs)
        assert all(f"INFO on {node}, process " in log.read_text() for log in logs)


def test_reading_results_takes_no_node(swept):
    assert {re.match("rule_([a-z_]+)_wildcards", job["Comment"])[1] for job in swept.jobs.values()} == {
        "describe_machine", "build_kernel", "measure_kernel", "merge_repetitions"
    }  # fmt: skip


@pytest.mark.parametrize("machine", ["epyc", "h100"])
def test_what_measures_has_a_node_with_every_core_to_itself(swept, machine):
    for rule in ("describe_machine", "measure_kernel"):
        for job in jobs_of(swept.jobs, rule, machine):
            assert (job["OverSubscribe"], job["NumCPUs"]) == ("NO", "2")
    assert [job["OverSubscribe"] for job in jobs_of(swept.jobs, "build_kernel", machine)] == ["OK"]
    described = json.loads((swept.results(machine) / "machine.json").read_text())
    assert described["cpu"]["available"] == len(os.sched_getaffinity(0))


def test_a_gpu_is_asked_for_where_the_configuration_says_so(swept):
    assert {job["TresPerJob"] for job in jobs_of(swept.jobs, "measure_kernel", "h100")} == {"gres:gpu:h100:1"}
    assert not any("TresPerJob" in job for job in jobs_of(swept.jobs, "measure_kernel", "epyc"))


def test_a_job_whose_node_was_lost_is_completed_from_its_journal(swept):
    assert restarts(swept.jobs, "epyc") == ["0", "1"]
    assert restarts(swept.jobs, "h100") == ["0", "0"]
    before, after = [entry for text in swept.interrupted.values() for entry in entries_in(text)], []
    for number in range(1, REPETITIONS + 1):
        name = f"vector_sum.{number}.jsonl"
        text = (swept.results("epyc") / "journal" / name).read_text()
        assert text.startswith(swept.interrupted.get(name, ""))
        entries = entries_in(text)
        # Existing entries were not measured again.
        assert set(Counter(entry["case"] for entry in entries).values()) == {1}
        assert len(entries) == 2 * len(SIZES)
        after += entries
    records = [json.loads(line) for line in (swept.results("epyc") / "timings" / "vector_sum.jsonl").open()]
    assert {record["outcome"] for record in records} == {"ok"}
    assert {entry["repetition"] for entry in before} <= {entry["repetition"] for entry in after}


def test_another_submit_host_finds_nothing_left_to_do(swept):
    assert "Nothing to be done" in swept.again


def test_one_page_compares_the_machines(swept):
    page = (swept.place / "reports" / "machines.html").read_text()
    for machine in ("epyc", "h100"):
        assert f'href="{machine}/index.html"' in page
