"""GitHub's workflows call existing scripts and run the same checks as .ci/run."""

import os
import re

import pytest
import yaml

from accelbench import project

FOLDER = project.ROOT / ".github" / "workflows"
OWN = re.compile(r"(?:^|\s)((?:\.ci|envs)/[\w.-]+)")


def commands(workflow):
    """Return the commands of all steps of all jobs of a workflow, one per line."""
    jobs = yaml.safe_load((FOLDER / workflow).read_text(encoding="utf-8"))["jobs"]
    return "\n".join(step["run"] for job in jobs.values() for step in job["steps"] if "run" in step)


@pytest.mark.parametrize("workflow", sorted(path.name for path in FOLDER.glob("*.yml")))
def test_what_is_called_is_there(workflow):
    told = commands(workflow)
    assert all(os.access(project.ROOT / script, os.X_OK) for script in OWN.findall(told))
    targets = set(re.findall(r"^([a-z-]+):", (project.ROOT / "Makefile").read_text(encoding="utf-8"), re.M))
    assert set(re.findall(r"\bmake ([a-z-]+)", told)) <= targets


def test_the_container_is_built_and_pages_are_looked_at_on_github_as_by_ci_run():
    run = (project.ROOT / ".ci" / "run").read_text(encoding="utf-8")
    wanted = {script for line in run.splitlines() if not line.startswith("#") for script in OWN.findall(line)}
    assert {"envs/try-container.sh", ".ci/axe"} <= wanted <= set(OWN.findall(commands("ci.yml")))
