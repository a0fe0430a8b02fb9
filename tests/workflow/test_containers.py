"""Container definitions name existing files, and jobs run in the image if Snakemake uses Apptainer."""

import os
import re
import shutil
import subprocess
import sys

import pytest
from command_line import command

from accelbench import project
from accelbench.store import files

DOCKERFILE = (project.ROOT / "Dockerfile").read_text()
DEFINITION = (project.ROOT / "accelbench.def").read_text()


def test_both_begin_with_the_same_and_name_locks_that_there_are():
    (base,) = re.findall(r"^ARG BASE=(\S+)$", DOCKERFILE, re.M)
    assert re.findall(r"^ +BASE=(\S+)$", DEFINITION, re.M) == [base]
    locks = set(re.findall(r"LOCK=(\w+)", DOCKERFILE + DEFINITION + (project.ROOT / "docs/containers.md").read_text()))
    assert locks == {"base", "cuda12"}
    assert all((project.ROOT / "envs" / f"{lock}.lock").is_file() for lock in locks)


def sections():
    """Return {section: lines} of the definition."""
    parts = re.split(r"^%(\w+)\n", DEFINITION, flags=re.M)[1:]
    return {name: text.split("\n") for name, text in zip(parts[::2], parts[1::2], strict=True)}


def copied_files():
    """Return [(source, destination)]; Apptainer reads exactly two words of a line."""
    return [line.split() for line in sections()["files"] if line]


def test_apptainer_copies_what_installing_and_running_need():
    assert {destination for _, destination in copied_files()} == {"/accelbench/"}
    copied = {source for source, _ in copied_files()}
    assert all((project.ROOT / name).exists() for name in copied)
    assert copied >= {"config", "envs", "kernels", "profiles", "workflow", "Makefile", "Snakefile", "pyproject.toml"}


def test_pages_made_of_what_apptainer_copies_explain_their_terms(tmp_path):
    for source, _ in copied_files():
        copy = shutil.copytree if (project.ROOT / source).is_dir() else shutil.copy
        copy(project.ROOT / source, tmp_path / source)
    code = "from accelbench.pages.page import glossary; print(glossary()['baseline'])"
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "workflow")}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.stdout.startswith("The implementation that the speedups"), done.stderr


def test_the_definition_has_sections_that_apptainer_knows_with_scripts_that_a_shell_reads():
    assert set(sections()) == {"arguments", "files", "post", "environment", "runscript"}
    header = [line for line in DEFINITION.partition("\n%")[0].splitlines() if line and not line.startswith("#")]
    assert [line.split(": ")[0] for line in header] == ["Bootstrap", "From"]
    defaults = dict(line.strip().split("=") for line in sections()["arguments"] if line)
    assert set(re.findall(r"{{ (\w+) }}", DEFINITION)) == defaults.keys()
    for name in ("post", "environment", "runscript"):
        script = "\n".join(sections()[name]).replace("{{ LOCK }}", defaults["LOCK"])
        subprocess.run(["sh", "-n"], input=script, text=True, check=True)


@pytest.mark.slow
def test_jobs_run_in_the_image(workplace):
    """A stand-in for Apptainer records its arguments and runs the command."""
    stand_in = workplace / "bin" / "apptainer"
    here = f'#!/bin/bash\n[ "$1" = --version ] && exec echo apptainer version 1.4.0\necho "$*" >> {workplace}/told\n'
    files.write(stand_in, here + 'exec bash -c "${!#}"\n')
    stand_in.chmod(0o755)
    (stand_in.parent / "singularity").symlink_to(stand_in)
    (workplace / "own.sif").touch()
    path = [stand_in.parent, os.path.dirname(sys.executable), os.environ["PATH"]]
    environment = {"PATH": os.pathsep.join(map(str, path)), "ACCELBENCH_IMAGE": "own.sif", "HOME": str(workplace)}
    words = ["-s", project.SNAKEFILE, "--configfile", "own.yaml", "--cores", 1]
    done = subprocess.run(
        command("snakemake", *words, "results/local/machine.json", "--sdm", "apptainer"),
        cwd=workplace,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert (workplace / "results" / "local" / "machine.json").is_file()
    assert re.search(r"^exec .* own\.sif bash -c .*python -m accelbench machine ", (workplace / "told").read_text())
