"""A small sweep over two machines on a real SLURM of two nodes, of which one loses its power in mid-job."""

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

PROCESSES, SIZES = 2, [1000, 2000, 5000]
SWEEP = {
    "kernels": {"vector_sum": {"sizes": SIZES}},
    "implementations": ["cffi_api"],
    "dtypes": ["float64"],
    "threads": [1],
    "peaks": False,
    # No median is known to a millionth, so each case takes its whole budget: time enough to be interrupted in.
    "protocol": {"processes": PROCESSES, "budget_s": 0.5, "passes": 1, "startup": False, "precision_host": 1e-6},
    "machines": {
        "epyc": {"slurm_partition": "cpu", "constraint": "epyc"},
        "h100": {"slurm_partition": "gpu", "gpu": 1, "gpu_model": "h100"},
    },
}

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.skipif(cluster.obstacle() is not None, reason=str(cluster.obstacle())),
]


@contextlib.contextmanager
def snakemake(place, log, *arguments):
    """The process of a Snakemake on its way through profiles/slurm, in the folder `place`."""
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


def job_of(jobs, rule, machine):
    """The one SLURM job of a rule for a machine, as cluster.Cluster.jobs tells it."""
    (found,) = (job for job in jobs.values() if job["Comment"].startswith(f"rule_{rule}_wildcards_{machine}"))
    return found


@dataclass
class Swept:
    """What a sweep left: its folder, SLURM's jobs, the journal of n1's machine as it was when n1 lost its power, and
    what Snakemake said when it was started once more."""

    place: Path
    jobs: dict
    interrupted: str
    again: str

    def results(self, machine):
        return self.place / "results" / machine


@pytest.fixture(scope="module")
def swept(tmp_path_factory):
    place = tmp_path_factory.mktemp("swept")
    (place / "sweep.yaml").write_text(yaml.safe_dump(SWEEP))
    journal = place / "results" / "epyc" / "journal" / "vector_sum.jsonl"
    log = place / "snakemake.log"
    with cluster.Cluster() as slurm:
        # One core is what this submit host says it has: no job may take notice.
        with snakemake(place, log, "--cores", "1") as process:

            def ended():
                return process.poll() is not None

            def requeued():
                return job_of(slurm.jobs(), "measure_kernel", "epyc")["Restarts"] == "1"

            cluster.wait_until(lambda: ended() or count_lines(journal) >= 2, "two entries in the journal", 180)
            assert not ended(), log.read_text()
            slurm.kill_node("n1")
            interrupted = journal.read_text()
            cluster.wait_until(requeued, "the job to be queued again")
            slurm.start_node("n1")
            assert process.wait(200) == 0, log.read_text()
        jobs = slurm.jobs()
        with snakemake(place, place / "again.log", "--cores", "2") as process:
            assert process.wait(60) == 0
    return Swept(place, jobs, interrupted, (place / "again.log").read_text())


def count_lines(path):
    return path.read_bytes().count(b"\n") if path.exists() else 0


@pytest.mark.parametrize(("machine", "node"), [("epyc", "n1"), ("h100", "n2")])
def test_every_job_of_a_machine_ran_on_a_node_of_its_type(swept, machine, node):
    for rule in ("describe_machine", "build_kernel", "measure_kernel"):
        assert job_of(swept.jobs, rule, machine)["NodeList"] == node
        (log,) = (path for path in swept.results(machine).rglob("*.log") if f"/logs/{rule}" in str(path))
        assert f"INFO on {node}, process " in log.read_text()


def test_reading_results_takes_no_node(swept):
    assert {re.match("rule_([a-z_]+)_wildcards", job["Comment"])[1] for job in swept.jobs.values()} == {
        "describe_machine", "build_kernel", "measure_kernel"
    }  # fmt: skip


@pytest.mark.parametrize("machine", ["epyc", "h100"])
def test_what_measures_has_a_node_with_every_core_to_itself(swept, machine):
    for rule in ("describe_machine", "measure_kernel"):
        job = job_of(swept.jobs, rule, machine)
        assert (job["OverSubscribe"], job["NumCPUs"]) == ("NO", "2")
    assert job_of(swept.jobs, "build_kernel", machine)["OverSubscribe"] == "OK"
    described = json.loads((swept.results(machine) / "machine.json").read_text())
    assert described["cpu"]["available"] == len(os.sched_getaffinity(0))


def test_a_gpu_is_asked_for_where_the_configuration_says_so(swept):
    assert job_of(swept.jobs, "measure_kernel", "h100")["TresPerJob"] == "gres:gpu:h100:1"
    assert "TresPerJob" not in job_of(swept.jobs, "measure_kernel", "epyc")


def test_a_job_whose_node_was_lost_is_completed_from_its_journal(swept):
    assert job_of(swept.jobs, "measure_kernel", "epyc")["Restarts"] == "1"
    assert job_of(swept.jobs, "measure_kernel", "h100")["Restarts"] == "0"
    before = [json.loads(line) for line in swept.interrupted.splitlines()]
    text = (swept.results("epyc") / "journal" / "vector_sum.jsonl").read_text()
    assert text.startswith(swept.interrupted)
    after = [json.loads(line) for line in text.splitlines() if "case" in json.loads(line)]
    # What was there was not measured again: as many repetitions of every case as the protocol asks for.
    repetitions = Counter(entry["case"] for entry in after)
    assert set(repetitions.values()) == {PROCESSES}
    assert len(repetitions) == 2 * len(SIZES)
    records = [json.loads(line) for line in (swept.results("epyc") / "timings" / "vector_sum.jsonl").open()]
    assert {record["outcome"] for record in records} == {"ok"}
    assert {entry["repetition"] for entry in before} <= {entry["repetition"] for entry in after}


def test_another_submit_host_finds_nothing_left_to_do(swept):
    assert "Nothing to be done" in swept.again


def test_one_page_compares_the_machines(swept):
    page = (swept.place / "reports" / "index.html").read_text()
    for machine in ("epyc", "h100"):
        assert f'href="{machine}/index.html"' in page
