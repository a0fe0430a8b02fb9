"""Runs and dry runs of Snakemake for the kernel `twice` in a separate folder."""

import json
import re

import yaml
from command_line import shell
from dry_run import dry_run

from accelbench import project


def snakemake(*arguments, cwd, snakefile=project.SNAKEFILE):
    return shell("snakemake", "-s", snakefile, *arguments, cwd=cwd)


def plan(*arguments, cwd, **options):
    """Return {rule: number of jobs} of a dry run."""
    done = dry_run(*arguments, cwd=cwd, **options)
    assert done.returncode == 0, done.stderr
    return {name: int(count) for name, count in re.findall(r"^(\w+) {2,}(\d+)$", done.stdout + done.stderr, re.M)}


def settings(*arguments, cwd, **options):
    """Return the settings with which a dry run would measure the kernel `twice`."""
    return settings_told(dry_run("-p", *arguments, cwd=cwd, **options))


def settings_told(done):
    """Return the settings in the output of a finished dry run."""
    assert done.returncode == 0, done.stderr
    found = re.findall(r"accelbench measure twice .*--settings '([^']*)'", done.stdout + done.stderr)
    return json.loads(found[0])


def write_config(place, **keys):
    data = {"preset": "smoke", "peaks": False, "kernels_path": [str(place / "my kernels")], **keys}
    path = place / "own.yaml"
    path.write_text(yaml.safe_dump(data))
    return path


def write_module(place, used=project.SNAKEFILE, **keys):
    """Write a workflow that uses this one as a module, for the kernels in `my kernels`."""
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
