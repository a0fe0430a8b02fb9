"""Runs and dry runs of Snakemake for the kernel `twice` in a separate folder."""

import re

import pytest
import yaml
from command_line import shell
from dry_run import dry_run

from accelbench import project
from accelbench.store import files


def snakemake(*arguments, cwd, snakefile=project.SNAKEFILE):
    return shell("snakemake", "-s", snakefile, *arguments, cwd=cwd)


def plan(*arguments, cwd, **options):
    """Return {rule: number of jobs} of a dry run."""
    done = dry_run(*arguments, cwd=cwd, **options)
    assert done.returncode == 0, done.stderr
    return {name: int(count) for name, count in re.findall(r"^(\w+) {2,}(\d+)$", done.stdout + done.stderr, re.M)}


def configuration(*arguments, cwd, command=("snakemake", "-s", project.SNAKEFILE)):
    """Return the configuration in the plan of a run. The run's only job touches its output and does nothing else."""
    stand_in = cwd / "stand_in.sh"  # every bash reads this file when it starts
    stand_in.write_text("python() { touch results/local/machine.json; }\n")
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("BASH_ENV", str(stand_in))
        done = shell(*command, "results/local/machine.json", "--forceall", *arguments, cwd=cwd)
    assert done.returncode == 0, done.stderr
    planned = max((cwd / "results/local/plans").glob("*.json"), key=lambda path: path.stat().st_mtime)
    return files.read_json(planned)["config"]


def write_config(place, **keys):
    data = {"preset": "smoke", "peaks": False, "kernels_path": [str(place / "my kernels")], **keys}
    path = place / "own.yaml"
    path.write_text(yaml.safe_dump(data))
    return path


def write_module(place, used=project.SNAKEFILE, **keys):
    """Write a workflow that uses accelbench's workflow as a module, for the kernels in `my kernels`."""
    config = {"peaks": False, "kernels_path": [str(place / "my kernels")], **keys}
    (place / "Snakefile").write_text(f"""
module bench:
    snakefile: {str(used)!r}
    config: {config!r}
    prefix: "sub"
use rule * from bench as bench_*
rule mine:
    default_target: True
    input: "sub/reports/local/index.html"
""")
