"""Tests of Snakemake, started directly with invalid input: one message, status 1, no traceback."""

import shutil

import pytest
from command_line import shell
from place import KERNEL

from accelbench import project

pytestmark = pytest.mark.usefixtures("devices_looked_for_once")


def snakemake(*words, cwd, workflow=project.ROOT):
    """Run Snakemake, which must end with status 1 and no traceback, and return its output."""
    words = ["snakemake", "-s", workflow / "Snakefile", "--cores", "1", *words]
    done = shell(*words, cwd=cwd, workflow=workflow)
    told = done.stdout + done.stderr
    assert done.returncode == 1, told
    assert "Traceback" not in told
    assert told.count("WorkflowError") == 1
    assert not list(cwd.glob("results/*/*"))
    return told


@pytest.mark.slow
def test_snakemake_refuses_its_own_configuration_in_one_message(tmp_path):
    copy = tmp_path / "workflow"
    for name in ("Snakefile", "workflow", "profiles"):
        source = project.ROOT / name
        shutil.copytree(source, copy / name) if source.is_dir() else shutil.copy(source, copy.mkdir() or copy)
    (copy / "config").mkdir()
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    for text, told in [
        ("preset: enormous", "preset: must be 'smoke', 'default' or 'lecture'"),
        ("a: [", "config.yaml:1: is not YAML"),
        ("peaks: true\npeaks: false", "config.yaml:2: is not YAML: the key 'peaks' occurs twice"),
    ]:
        (copy / "config" / "config.yaml").write_text(text)
        assert told in snakemake(cwd=elsewhere, workflow=copy)


@pytest.mark.slow
def test_snakemake_refuses_a_persons_configuration_in_one_message(place):
    assert "with --config: kernels: no kernel 'nope'" in snakemake("--config", "kernels=[nope]", cwd=place.folder)
    place.own.write_text(place.own.read_text() + "sizes: [1:30]\n")  # Snakemake's YAML reader reads 1:30 as 90
    assert "sizes[0]: must be a whole number (given: '1:30')" in snakemake("--configfile", "own.yaml", cwd=place.folder)
    place.configure({})
    place.write({"kernel.py": KERNEL.replace("return factor * x", "return None")})
    assert "reference returned the NoneType None" in snakemake("--configfile", "own.yaml", cwd=place.folder)
    place.write({"kernel.py": KERNEL})
    (place.folder / "results").write_text("mine")
    assert "is a file where a folder is needed" in snakemake("--configfile", "own.yaml", cwd=place.folder)
