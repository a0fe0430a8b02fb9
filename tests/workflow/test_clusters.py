"""Machines that are nodes of a cluster, without one: whose results a folder takes, what jobs ask for, the page that
compares machines. tests/slurm has a real cluster."""

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys

import pytest
import synthetic_results as made
import yaml

from accelbench import config, project
from accelbench.errors import InputError
from accelbench.machine import identity
from accelbench.report import machines
from accelbench.store import files

SWEEP = {
    "preset": "smoke",
    "kernels": ["vector_sum"],
    "implementations": ["cffi_api"],
    "peaks": False,
    "machines": {
        "epyc": {"cores": 64, "requirements": 'regexp("EPYC", CpuModel)'},
        "h100": {"cores": 32, "request_gpus": 1},
    },
}


def snakemake(place, *arguments, program=("-m", "snakemake")):
    command = [sys.executable, *program, "--snakefile", project.SNAKEFILE, "--configfile", "sweep.yaml", *arguments]
    return subprocess.run(command, cwd=place, capture_output=True, text=True, timeout=120)


@pytest.fixture
def place(tmp_path):
    (tmp_path / "sweep.yaml").write_text(yaml.safe_dump(SWEEP))
    return tmp_path


# Whose results these are


def test_results_are_taken_of_one_kind_of_computer(tmp_path, described):
    identity.check(tmp_path)
    identity.check(tmp_path)
    first = json.loads((tmp_path / "identity.json").read_text())
    assert first["identity"] == described["identity"]


@pytest.mark.parametrize("stage", [["machine"], ["build", "vector_sum", "c"], ["measure", "vector_sum"]])
def test_a_job_on_a_node_of_another_type_is_one_error(tmp_path, stage):
    other = {"identity": "0" * 32, "model": "Another CPU", "cores": 96, "hostname": "node17"}
    folder = tmp_path / "results" / "epyc"
    folder.mkdir(parents=True)
    (folder / "identity.json").write_text(json.dumps(other))
    command = [sys.executable, "-m", "accelbench", *stage, "--machine", "epyc"]
    environment = {**os.environ, "PYTHONPATH": project.ROOT / "workflow"}
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, env=environment)
    assert done.returncode == 2
    assert "holds results of Another CPU, 96 cores (node17), but this is" in done.stderr
    assert "under another name" in done.stderr
    assert "Traceback" not in done.stderr
    assert [path.name for path in folder.iterdir()] == ["identity.json"]


def test_results_that_were_unpacked_are_of_the_computer_they_describe(tmp_path, described):
    files.write_json(tmp_path / "machine.json", described)
    identity.check(tmp_path)
    another = {"cpu": {**described["cpu"], "model": "Another CPU", "cores": 96}, "identity": "0" * 32}
    files.write_json(tmp_path / "machine.json", {**described, **another, "hostname": "node17"})
    with pytest.raises(InputError, match=r"holds results of Another CPU, 96 cores \(node17\), but this is"):
        identity.check(tmp_path)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"identity": 1}'])
def test_a_damaged_identity_is_one_error(tmp_path, text):
    (tmp_path / "identity.json").write_text(text)
    with pytest.raises(InputError, match=r"identity\.json"):
        identity.check(tmp_path)


# What jobs ask for


@pytest.mark.parametrize(
    ("wanted", "told"),
    [
        ({"gpu": 0}, "machines.node.gpu"),
        ({"gpu": "one"}, "machines.node.gpu"),
        ({"cores": -1}, "machines.node.cores"),
        ({"constraint": ""}, "machines.node.constraint"),
        ({"partition": "cpu"}, "slurm_partition"),
        (["cpu"], "machines.node"),
    ],
)
def test_what_no_scheduler_knows_is_one_error(wanted, told):
    with pytest.raises(InputError, match=re.escape(told)):
        config.parse({"machines": {"node": wanted}})


def test_nodes_of_a_cluster_are_never_measured_here(place):
    done = snakemake(place, "--cores", "1")
    assert done.returncode != 0
    assert "machines.epyc is a node of a cluster, and nothing sends jobs to one" in done.stderr
    assert "--workflow-profile slurm" in done.stderr
    assert not (place / "results").exists()


@pytest.mark.skipif(
    importlib.util.find_spec("snakemake_executor_plugin_htcondor") is None, reason="wants make install LOCK=htcondor"
)
def test_htcondor_is_asked_for_a_whole_node_of_the_machine(place):
    # Its own classes read what they are given; only the pool, which there is none of, writes down what it gets.
    (place / "submit.py").write_text(
        "import json, sys\n"
        "import htcondor2\n"
        "class Schedd:\n"
        "    def submit(self, description):\n"
        "        with open('submitted.jsonl', 'a') as stream:\n"
        "            print(json.dumps(dict(description)), file=stream)\n"
        "        raise RuntimeError('no pool')\n"
        "htcondor2.Schedd = Schedd\n"
        "htcondor2.Submit.issue_credentials = lambda self: None\n"
        "from snakemake.cli import main\n"
        "main(sys.argv[1:])\n"
    )
    asked = {}
    for name in ("epyc", "h100"):
        snakemake(place, "--workflow-profile", "htcondor", f"results/{name}/machine.json", program=["submit.py"])
        asked[name] = json.loads((place / "submitted.jsonl").read_text().splitlines()[-1])
    assert [asked[name]["request_cpus"] for name in ("epyc", "h100")] == ["64", "32"]
    assert asked["epyc"]["requirements"] == 'regexp("EPYC", CpuModel)'
    assert asked["h100"]["request_gpus"] == "1"
    assert {asked[name]["request_memory"] for name in asked} == {"2000"}


# The page that compares machines


@pytest.fixture(scope="module")
def several(tmp_path_factory):
    """results/ and reports/ of two machines, of which `slow` takes three times as long for everything."""
    return write_machines(tmp_path_factory.mktemp("several"))


def write_machines(place, **options):
    for name, factor in (("quick", 1), ("slow", 3)):
        folder = place / "results" / name
        made.write(folder, **options)
        for path in folder.glob("timings/*.jsonl"):
            path.write_text("".join(slowed(line, factor) for line in path.open()))
        (place / "reports" / name).mkdir(parents=True)
        (place / "reports" / name / "index.html").touch()
    return place


def slowed(line, factor):
    """A record that took `factor` times as long."""
    record = json.loads(line)
    for timing in (record["timings"] or {}).values():
        timing["samples_s"] = [[sample * factor for sample in own] for own in timing["samples_s"]]
        for key in ("median_s", "ci_low_s", "ci_high_s"):
            timing[key] = timing[key] and timing[key] * factor
    return json.dumps(record) + "\n"


def test_the_faster_machine_wins_every_kernel(several):
    text = machines.write(several / "results", several / "reports", {}).read_text()
    assert text.count('href="quick/index.html"') == text.count('href="slow/index.html"') == 1
    rows = re.findall(r"<td>(quick|slow)</td>.*?<td>([\d.]+)×</td><td>(\w*)</td></tr>", text, re.S)
    assert len(rows) == 2 * sum(len(made.DTYPES[kernel]) for kernel in made.KERNELS)
    assert {row for row in rows if row[0] == "quick"} == {("quick", "1.00", "fastest")}
    assert {row for row in rows if row[0] == "slow"} == {("slow", "3.00", "")}


def test_one_process_makes_no_machine_the_fastest(tmp_path):
    place = write_machines(tmp_path, repetitions=1, kernels=("monte_carlo_pi",))
    text = machines.write(place / "results", place / "reports", {}).read_text()
    verdicts = re.findall(r"<td>(?:quick|slow)</td>.*?<td>[\d.]+×</td><td>([^<]*)</td></tr>", text, re.S)
    assert verdicts
    assert set(verdicts) == {"none: one process"}


def test_one_machine_is_simply_linked(several, tmp_path):
    shutil.copytree(several, tmp_path / "one")
    shutil.rmtree(tmp_path / "one" / "results" / "slow")
    text = machines.write(tmp_path / "one" / "results", tmp_path / "one" / "reports", {}).read_text()
    assert 'href="quick/index.html"' in text
    assert "slow" not in text.partition("<main")[2].partition("<script")[0]
    assert "<table" not in text


def test_a_machine_whose_results_are_damaged_is_named_and_left_out(several, tmp_path):
    shutil.copytree(several, tmp_path / "two")
    (tmp_path / "two" / "results" / "slow" / "timings" / "vector_sum.jsonl").write_text("{\n")
    text = machines.write(tmp_path / "two" / "results", tmp_path / "two" / "reports", {}).read_text()
    assert 'href="quick/index.html"' in text
    assert "slow is left out" in text
    assert "vector_sum.jsonl:1" in text
