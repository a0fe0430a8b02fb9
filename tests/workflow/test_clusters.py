"""Machines that are nodes of a cluster, tested without a cluster: ownership of a results folder, and job requests.

tests/slurm uses a real cluster.
"""

import importlib.util
import json
import os
import re
import subprocess
import sys

import pytest
import yaml

from accelbench import config, project
from accelbench.errors import InputError
from accelbench.machine import identity
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


# Ownership of a results folder


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
    assert "contains results of Another CPU, 96 cores (node17), but this machine is" in done.stderr
    assert "another machine name" in done.stderr
    assert "Traceback" not in done.stderr
    assert [path.name for path in folder.iterdir()] == ["identity.json"]


def test_results_that_were_unpacked_are_of_the_computer_they_describe(tmp_path, described):
    files.write_json(tmp_path / "machine.json", described)
    identity.check(tmp_path)
    another = {"cpu": {**described["cpu"], "model": "Another CPU", "cores": 96}, "identity": "0" * 32}
    files.write_json(tmp_path / "machine.json", {**described, **another, "hostname": "node17"})
    with pytest.raises(InputError, match=r"contains results of Another CPU, 96 cores \(node17\), but this machine is"):
        identity.check(tmp_path)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"identity": 1}'])
def test_a_damaged_identity_is_one_error(tmp_path, text):
    (tmp_path / "identity.json").write_text(text)
    with pytest.raises(InputError, match=r"identity\.json"):
        identity.check(tmp_path)


# Job requests


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
    assert "machines.epyc is a node of a cluster, but this run sends no jobs to clusters" in done.stderr
    assert "--workflow-profile slurm" in done.stderr
    assert not (place / "results").exists()


@pytest.mark.skipif(
    importlib.util.find_spec("snakemake_executor_plugin_htcondor") is None, reason="requires make install LOCK=htcondor"
)
def test_htcondor_is_asked_for_a_whole_node_of_the_machine(place):
    # HTCondor's own classes parse the submission. A recorder replaces the pool, which is missing here.
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
