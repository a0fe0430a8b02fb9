"""Tests of folders that cannot be written, and of interrupted runs: one message, and no loss of results."""

import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import time

import pytest
from command_line import invoke, shell
from coordinator import all_gone, workers
from place import PROTOCOL

from accelbench import project
from accelbench.cli import run
from accelbench.errors import InputError
from accelbench.processes.supervision import with_package

pytestmark = pytest.mark.usefixtures("devices_looked_for_once")


def test_results_that_are_a_file(place):
    (place.folder / "results").write_text("mine")
    words = ["run", "--configfile", str(place.own), "--directory", str(place.folder)]
    result = invoke(*words)
    assert result.exit_code == 2
    assert f"{place.folder / 'results'}: is a file where a folder is needed. Move it away" in result.stderr
    assert (place.folder / "results").read_text() == "mine"


@pytest.mark.parametrize("name", ["journal", "tables", "machine.json"])
def test_file_where_a_folder_is_needed_and_the_other_way_round(results, name):
    path = results.file(name)
    if path.is_dir():
        shutil.rmtree(path)
        path.write_text("mine")
    else:
        path.unlink()
        path.mkdir()
    command = {"journal": ["measure", "twice"], "tables": ["tables"], "machine.json": ["machine"]}[name]
    assert str(path) in results.refusal(*command)


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (["publish", "/proc/x/y", "--results", "{results}"], "/proc/x"),
        (["publish", "/proc/x", "--results", "{results}"], "/proc"),
        (["run", "--configfile", "{own}", "--directory", "/proc/x", "-n"], "/proc/x"),
        (["report", "--results", "{results}", "--reports", "/proc/x"], "/proc/x"),
        (["new", "--exercise", "esrf-1-profile", "--directory", "/proc/x"], "/proc/x"),
        (["new", "cube", "--directory", "/proc/x/y"], "/proc/x"),
        (["tables", "--results", "{results}", "--log", "/proc/x/log"], "/proc/x"),
    ],
)
def test_folder_that_cannot_be_made_is_named(results, command, told):
    words = [word.format(results=results.folder / "results", own=results.own) for word in command]
    result = invoke(*words)
    assert result.exit_code == 2, result.output
    assert result.stderr == (
        f"error: {told}: Permission denied. Choose a folder that you may write to, or correct its permissions\n"
    )


def test_full_device_is_named(results):
    local = str(results.file(""))
    for command in (
        ["export", local, "--format", "csv", "--output", "/dev/full"],
        ["compare", local, local, "--csv", "/dev/full"],
    ):
        result = invoke(*command)
        assert result.exit_code == 2, result.output
        assert result.stderr.startswith("error: /dev/full: No space left on device. ")


@pytest.fixture
def small_disk(results, tmp_path_factory):
    """Yield a copy of the folder of `results` on a file system of 1 MiB. Skip the test if none can be mounted."""
    disk = tmp_path_factory.mktemp("disk")
    mounted = shutil.which("mount") and subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1m", "none", disk], capture_output=True
    )
    if not mounted or mounted.returncode:
        pytest.skip("needs the right to mount a file system")
    try:
        shutil.copytree(results.folder, disk, dirs_exist_ok=True)
        yield disk
    finally:
        subprocess.run(["umount", disk], check=True)


def fill(disk):
    with (disk / "filler").open("wb", buffering=0) as stream:
        try:
            while stream.write(bytes(4096)):
                pass
        except OSError:
            pass


@pytest.mark.slow
def test_full_disk_stops_every_stage_and_loses_nothing(small_disk, place):
    journal, timings = (
        small_disk / "results/local/journal/twice.1.jsonl",
        small_disk / "results/local/timings/twice.jsonl",
    )
    place.configure({"kernels": {"twice": {"sizes": [100, 200]}}})
    kept = {path: path.read_bytes() for path in small_disk.rglob("*") if path.is_file() and path.suffix != ".lock"}
    before = kept.pop(journal)
    fill(small_disk)
    for command in (
        ["measure", "twice", "--log", "results/local/logs/measure.log"],
        ["tables", "--log", "results/local/logs/tables.log"],
        ["report"],
        ["machine"],
        ["build", "twice"],
        ["run", "--cores", "1"],
    ):
        words = [] if command[0] == "tables" else ["--configfile", place.own]
        done = shell("accelbench", *command, *words, cwd=small_disk)
        assert done.returncode == 2, done.stderr
        assert done.stderr.count("\n") == 1, done.stderr
        assert "No space left on device. Free some space and run again" in done.stderr
        # The last block of the journal may have had room for one or two cases. Their complete lines are kept and count.
        assert journal.read_bytes().startswith(before)
        assert journal.read_bytes().endswith(b"\n")
        assert {path: path.read_bytes() for path in kept} == kept
    (small_disk / "filler").unlink()
    done = shell("accelbench", "measure", "twice", "--configfile", place.own, cwd=small_disk)
    assert done.returncode == 0, done.stderr
    assert journal.read_bytes().startswith(before)
    new = [json.loads(line)["case"] for line in journal.read_bytes()[len(before) :].splitlines() if b'"case"' in line]
    assert {case.split("/")[3] for case in new} == {"200"}
    assert {json.loads(line)["size"] for line in timings.read_bytes().splitlines()} == {100, 200}


@pytest.mark.slow
def test_read_only_disk(small_disk, place):
    subprocess.run(["mount", "-o", "remount,ro", small_disk], check=True)
    for command in (["measure", "twice"], ["tables"], ["machine"], ["run"]):
        words = [] if command[0] == "tables" else ["--configfile", place.own]
        done = shell("accelbench", *command, *words, cwd=small_disk)
        assert done.returncode == 2, done.stderr
        assert done.stderr.count("\n") == 1, done.stderr
        assert "Read-only file system. Choose a folder that can be written" in done.stderr


@pytest.mark.slow
def test_interrupt_keeps_what_was_measured_and_leaves_no_worker(results):
    journal = results.file("journal/twice.1.jsonl")
    before = journal.read_bytes()
    results.configure({"protocol": {**PROTOCOL, "budget_s": 60.0, "min_rounds": 1_000_000}})
    command = [sys.executable, "-m", "accelbench", "measure", "twice", "--configfile", str(results.own)]
    environment = {**os.environ, "PYTHONPATH": str(project.ROOT / "workflow")}
    with subprocess.Popen(
        command, cwd=results.folder, stderr=subprocess.PIPE, text=True, env=environment, start_new_session=True
    ) as process:
        deadline = time.monotonic() + 60
        while not workers(process.pid):
            assert time.monotonic() < deadline
            assert process.poll() is None
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=120)
    assert process.returncode == 130
    assert told.splitlines()[-1] == "Stopped. What was measured is kept."
    assert journal.read_bytes() == before
    assert all_gone(process.pid)


@pytest.mark.parametrize(
    "words",
    [
        ["publish", "{place}", "--results", "{results}"],
        ["publish", "{place}/x", "--results", "{results}"],
        ["run", "-n", "--directory", "{place}"],
        ["run", "-n", "--directory", "{place}/x"],
        ["report", "--results", "{results}", "--reports", "{place}"],
        ["machines", "{place}"],
        ["machine", "--results", "{place}"],
        ["new", "own", "--directory", "{place}"],
    ],
)
def test_a_link_to_itself_is_one_message(results, tmp_path, words):
    place = tmp_path / "itself"
    place.symlink_to("itself")
    results_folder = results.folder / "results"
    done = invoke(*(word.format(place=place, results=results_folder) for word in words))
    assert done.exit_code == 2, done.output
    assert done.stderr.count("\n") == 1
    assert str(place) in done.stderr
    assert place.is_symlink()


@pytest.mark.parametrize("words", [["--help"], ["list", "--help"]])
def test_standard_output_that_cannot_be_written_is_named(tmp_path, words):
    """A limit on file sizes simulates a full disk."""
    with (tmp_path / "out").open("wb") as out:
        done = subprocess.run(
            [sys.executable, "-m", "accelbench", *words],
            stdout=out,
            stderr=subprocess.PIPE,
            text=True,
            env=with_package(os.environ),
            preexec_fn=no_growth,
        )
    assert done.returncode in (1, 2)
    assert re.fullmatch("error: standard output: File too large. Raise .*\n", done.stderr)


def no_growth():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


def test_an_exercise_without_a_name_is_refused():
    done = invoke("new", "--exercise", "")
    assert done.exit_code == 2
    assert "'': no such exercise. Exercises: " in done.stderr


def test_a_project_whose_path_snakemake_cannot_use_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(project, "ROOT", tmp_path / "a {x}")
    with pytest.raises(InputError, match=r"a {x}: contains a brace.* Move the project elsewhere"):
        project.check_places(tmp_path, ())


def test_a_home_that_cannot_be_written_gives_way_for_snakemakes_cache(tmp_path):
    file, home = tmp_path / "file", tmp_path / "home"
    file.touch()
    home.mkdir()
    instead = {"XDG_CACHE_HOME": str(tmp_path / "here" / ".snakemake" / "cache")}
    for variables, added in (
        ({"HOME": "/", "XDG_CACHE_HOME": str(home)}, {}),
        ({"HOME": "/", "XDG_CACHE_HOME": str(file)}, instead),
        ({"HOME": "/", "XDG_CACHE_HOME": str(file / "below")}, instead),
    ):
        assert run._with_cache(variables, tmp_path / "here") == variables | added
