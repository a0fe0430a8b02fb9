"""A collection of machines: the rules and their grades, what is submitted, and what continuous integration renders."""

import json
import re
import shutil
import subprocess

import pytest
import synthetic_results
import yaml
from typer.testing import CliRunner

from accelbench import project
from accelbench.analysis import Analysis
from accelbench.cli import commands
from accelbench.environments import UNLOCKED
from accelbench.gallery import rules
from accelbench.model.machine import EnvironmentDescription
from accelbench.store import files
from accelbench.store.load import load_results


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return synthetic_results.write(tmp_path_factory.mktemp("results") / "local", kernels=("vector_sum",))


@pytest.fixture
def results(folder):
    """Results that break no rule and deserve no remark."""
    found = load_results(folder)
    for kernel, metadata in found.kernels.items():
        runs = [run.model_copy(update={"dirty": False}) for run in metadata.runs]
        found.kernels[kernel] = metadata.model_copy(update={"runs": runs})
    found.machine.distributions.clear()
    found.machine.distributions.update(numpy=rules.pinned()["numpy"])
    found.records[:] = [quiet(record) for record in found.records]
    return found


def quiet(record):
    return record.model_copy(update={"noisy": False if record.outcome == "ok" else None})


def graded(results):
    return rules.grade(Analysis(results))


def changed(results, share, change):
    """Change that share of the ok cases of what accelerates something."""
    ok = [n for n, r in enumerate(results.records) if r.outcome == "ok" and not r.kernel.startswith(("peak", "limit"))]
    for number in ok[: round(share * len(ok))]:
        results.records[number] = change(results.records[number])
    return results


def noisy(record):
    return record.model_copy(update={"noisy": True})


def impossible(record):
    """A thousand times as fast, its working set in memory."""
    samples = [[seconds / 1000 for seconds in own] for own in record.timings["compute"].samples_s]
    timings = record.timings | {"compute": synthetic_results.timing(samples)}
    return record.model_copy(update={"timings": timings, "cache_resident": False})


def test_what_keeps_every_rule_is_an_a(results):
    assert graded(results) == rules.Grade(grade="A")


@pytest.mark.parametrize(
    ("share", "change", "grade", "told"),
    [
        (0.05, synthetic_results.once, "A", None),
        (0.2, synthetic_results.once, "refused", "cases were measured once"),
        (0.02, noisy, "A", None),
        (0.3, noisy, "B", "cases are noisy"),
        (0.6, noisy, "refused", "cases are noisy"),
        (0.5, impossible, "refused", "faster than the machine can be"),
    ],
)
def test_rules_of_cases(results, share, change, grade, told):
    found = graded(changed(results, share, change))
    assert found.grade == grade
    assert len(found.reasons) == bool(told)
    assert all(told in reason for reason in found.reasons)


def test_one_case_is_faster_than_the_machine_can_be(results):
    (told,) = graded(changed(results, 1 / len(results.records), impossible)).broken
    assert told.startswith("1 case is faster than the machine can be, ")
    assert told.endswith(" or mend it")


def test_unlocked_versions_are_graded_lower_and_not_refused(results):
    results.machine.distributions.update(numpy="1.0")
    results.machine.environments["jax"] = EnvironmentDescription(python="3.11.7", lock=UNLOCKED, backends={})
    results.machine.environments["torch"] = EnvironmentDescription(backends={})  # which is not there
    found = graded(results)
    assert found.grade == "B"
    assert found.remarks == [
        "versions are not those of the locks: accelbench's own Python (numpy 1.0), jax",
    ]


@pytest.mark.parametrize(
    ("facts", "told"),
    [
        ({"commit": None}, "the commit is not known"),
        ({"dirty": True}, "the commit had uncommitted changes"),
        ({"protocol_version": 1}, "measured by version 1 of the protocol; today's is 3"),
    ],
)
def test_remarks_on_the_origin(results, facts, told):
    metadata = results.kernels["vector_sum"]
    runs = [run.model_copy(update=facts) for run in metadata.runs]
    results.kernels["vector_sum"] = metadata.model_copy(update={"runs": runs})
    assert graded(results) == rules.Grade(grade="B", remarks=[told])


def test_two_remarks_are_a_c(results):
    results.machine.distributions.update(numpy="1.0")
    assert graded(changed(results, 0.3, noisy)).grade == "C"


def invoke(*arguments):
    return CliRunner().invoke(commands.app, list(map(str, arguments)))


@pytest.mark.usefixtures("as_svg")
def test_a_machine_is_submitted_verified_and_rendered_again(folder, tmp_path):
    gallery, own = tmp_path / "gallery", ("--results", folder.parent)
    done = invoke("submit", "epyc", "--gallery", gallery, *own)
    assert done.exit_code == 0, done.output
    assert "epyc: grade C" in done.stdout
    assert f"git add {gallery / 'epyc'} {gallery / 'index.html'} " in done.stdout
    grade = json.loads((gallery / "epyc" / "grade.json").read_text())
    assert grade["grade"] == "C"
    assert "the commit had uncommitted changes" in grade["remarks"]
    page = (gallery / "index.html").read_text("utf-8")
    assert "<b>Grade C</b>" in page
    assert "the commit had uncommitted changes" in page
    assert 'href="epyc/index.html"' in page

    assert invoke("verify", gallery / "epyc", "--rules").exit_code == 0
    (gallery / "epyc" / "grade.json").write_text(json.dumps(grade | {"grade": "A"}))
    edited = invoke("verify", gallery / "epyc", "--rules")
    assert (edited.exit_code, edited.stderr) == (1, "grade.json says A, its results say C\n")
    (gallery / "epyc" / "index.html").write_text("old")
    (gallery / "index.html").unlink()
    assert invoke("gallery", gallery).exit_code == 0
    assert json.loads((gallery / "epyc" / "grade.json").read_text()) == grade
    assert (gallery / "index.html").read_text("utf-8") == page
    assert "<!doctype html>" in (gallery / "epyc" / "index.html").read_text("utf-8")


def test_what_the_rules_refuse_is_not_written(folder, tmp_path):
    place = synthetic_results.write(tmp_path / "results" / "local", repetitions=1, kernels=("vector_sum",))
    done = invoke("submit", "epyc", "--gallery", tmp_path / "gallery", "--results", place.parent)
    assert done.exit_code == 1
    assert "grade refused" in done.stdout
    assert "were measured once" in done.stdout
    assert not (tmp_path / "gallery").exists()
    assert invoke("verify", place, "--rules").exit_code == 1


def test_a_folder_without_a_machine_is_refused_before_anything_is_written(folder, tmp_path):
    gallery, own = tmp_path / "gallery", ("--results", folder.parent)
    (gallery / "empty").mkdir(parents=True)
    (gallery / "README.md").write_text("Our machines")
    (gallery / ".git").mkdir()
    shutil.copytree(folder, gallery / "local")
    before = sorted(gallery.rglob("*"))
    told = f"error: {gallery / 'empty'}: holds no machine.json, so it is no machine's results. "
    for arguments in (("gallery", gallery), ("submit", "epyc", "--gallery", gallery, *own)):
        done = invoke(*arguments)
        assert (done.exit_code, done.stderr.startswith(told), done.stderr.count("\n")) == (2, True, 1), done.stderr
    assert sorted(gallery.rglob("*")) == before


@pytest.mark.usefixtures("as_svg")
def test_a_name_that_another_machine_has_is_not_given_away(folder, tmp_path):
    """The same machine takes it as often as it likes."""
    gallery, machine = tmp_path / "gallery", json.loads((folder / "machine.json").read_text())
    for _ in range(2):
        assert invoke("submit", "epyc", "--gallery", gallery, "--results", folder.parent).exit_code == 0
    other = shutil.copytree(folder, tmp_path / "results" / "local")
    cpu = machine["cpu"] | {"model": "Other 9000"}
    (other / "machine.json").write_text(json.dumps(machine | {"identity": "b" * 64, "cpu": cpu}))
    before = (gallery / "epyc" / "machine.json").read_bytes()
    done = invoke("submit", "epyc", "--gallery", gallery, "--results", other.parent)
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
    assert f"{gallery / 'epyc'}: holds results of " in done.stderr
    assert "and these are of Other 9000" in done.stderr
    assert (gallery / "epyc" / "machine.json").read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("submit", "../elsewhere"), "is no machine's name"),
        (("gallery", "nowhere"), "there is no such collection yet. What was measured here begins it: "),
        (("verify", "nowhere", "--rules"), "there is no such folder"),
    ],
)
def test_what_cannot_be_used_is_one_message(folder, arguments, told):
    own = ("--results", folder.parent) if arguments[0] == "submit" else ()
    done = invoke(*arguments, *own)
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
    assert told in done.stderr


@pytest.fixture
def workflow():
    """What continuous integration does with a collection; YAML takes its key `on` for a truth value."""
    text = (project.ROOT / ".github" / "workflows" / "gallery.yml").read_text("utf-8")
    found = yaml.safe_load(text)
    return found[True], [step["run"] for step in found["jobs"]["gallery"]["steps"] if "run" in step]


def test_continuous_integration_does_what_the_documentation_says(workflow):
    when, (install, verify, render) = workflow
    assert {event: own["paths"] for event, own in when.items()} == {
        "push": ["gallery/**"],
        "pull_request": ["gallery/**"],
    }
    assert (install, render) == ("make install LOCK=base", "make gallery LOCK=base")
    text = (project.ROOT / "docs" / "gallery.md").read_text("utf-8")
    assert ".github/workflows/gallery.yml" in text
    told = re.findall(r"^    ((?:make|python) .*gallery.*)$", text, re.M)
    assert told == ["python -m accelbench verify --rules gallery/epyc-9654", "make gallery"]
    assert told[0].removesuffix(" gallery/epyc-9654") in verify
    assert "accelbench gallery" in (project.ROOT / "Makefile").read_text("utf-8").partition("\ngallery:")[2]


@pytest.mark.parametrize(("folders", "status"), [("good", 0), ("bad good", 1), ("good bad", 1)])
def test_continuous_integration_verifies_every_folder(workflow, folders, status, tmp_path):
    """By a Python that refuses what is called bad."""
    for name in folders.split():
        (tmp_path / "gallery" / f"{len(list(tmp_path.glob('gallery/*')))}-{name}").mkdir(parents=True)
    python = tmp_path / ".venv" / "bin" / "python"
    files.write(python, '#!/bin/sh\necho "$@"\ncase "$5" in *bad/) exit 1;; esac\n')
    python.chmod(0o755)
    done = subprocess.run(
        ["bash", "-e", "-c", workflow[1][1]], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == status
    assert done.stdout.count("-m accelbench verify --rules gallery/") == len(folders.split())
