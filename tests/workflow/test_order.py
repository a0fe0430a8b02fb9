"""Tests of the order in which Snakemake's scheduler runs jobs; stand-ins for the jobs only write the outputs."""

import json
import os
import time
from collections import Counter

import pytest
from command_line import shell
from place import KERNEL
from twice import write_config

from accelbench import project
from accelbench.model.names import PROTOCOL_VERSION

KERNELS = ("alpha", "beta", "gamma")
TARGETS = [f"results/local/timings/{kernel}.jsonl" for kernel in KERNELS]
MEASURED = {"started": "2025-11-24", "wall_s": 1, "in_samples_s": 1, "command": "", "commit": None, "dirty": None}
MEASURED |= {"protocol_version": PROTOCOL_VERSION}
# Every bash reads this file first. Its function `python` replaces the Python that jobs start.
STAND_IN = """
scheduler_s() {
    local pid=$PPID
    until grep -q python "/proc/$pid/comm" || tr '\\0' ' ' < "/proc/$pid/cmdline" | grep -q bin/snakemake; do
        pid=$(awk '{print $4}' "/proc/$pid/stat")
    done
    awk -v per_second="$(getconf CLK_TCK)" '{print ($14 + $15) / per_second}' "/proc/$pid/stat"
}

python() {
    local words="${*:3}" stage=$3 kernel=${4:-} toolchain=${5:-} folder
    while [ $# -gt 0 ]; do
        case $1 in
            --plan) folder=${2%/plans/*} ;;
            --repetition) local repetition=$2 ;;
        esac
        shift
    done
    echo "$stage $kernel ${repetition:-}" >> "$ORDER"
    case $stage in
        machine) touch "$folder/machine.json" ;;
        build) touch "$folder/build/$kernel/$toolchain.json" ;;
        measure)
            mkdir -p "$folder/journal"
            if [ -n "${SLEEPS:-}" ] && [ $repetition = 20 ] && [ ! -e spent ]; then
                local before=$(scheduler_s)
                touch spent
                sleep "$SLEEPS"
                echo "$before $(scheduler_s)" > spent
            fi
            touch "$folder/journal/$kernel.$repetition.jsonl" "$folder/repetitions/$kernel/$repetition.json"
            ;;
        merge) touch "$folder/timings/$kernel.jsonl" "$folder/kernels/$kernel.json" ;;
    esac
}
"""


@pytest.fixture
def run(tmp_path):
    """A function that runs a sweep of three kernels with native sources and returns its jobs in order."""
    for name in KERNELS:
        folder = tmp_path / "my kernels" / name
        folder.mkdir(parents=True)
        (folder / "kernel.py").write_text(KERNEL)
        (folder / "numpy_ufunc.py").write_text('"""As it is."""\ndef run(x, y):\n    y[:] = x + x\n')
        (folder / "twice.c").write_text("int twice;")
        for backend in ("ctypes_c", "cffi_api"):
            text = '"""In C."""\nSOURCES = ("twice.c",)\ndef run(x, y):\n    pass\n'
            (folder / f"{backend}.py").write_text(text)
    stand_in, order = tmp_path / "stand_in.sh", tmp_path / "order"
    stand_in.write_text(STAND_IN)

    def run(repetitions, cores, machines=("local",), command=("snakemake", "-s", project.SNAKEFILE), **keys):
        write_config(tmp_path, protocol={"repetitions": repetitions}, machines={name: {} for name in machines}, **keys)
        order.write_text("")
        targets = [target.replace("local", machine) for machine in machines for target in TARGETS]
        words = [*command, "--configfile", "own.yaml", "--cores", cores, *targets]
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(os, "environ", os.environ | {"BASH_ENV": str(stand_in), "ORDER": str(order)})
            done = shell(*words, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        return [tuple(line.split()) for line in order.read_text().splitlines()]

    return run


@pytest.mark.parametrize(
    "cores", [pytest.param(1, marks=pytest.mark.slow), 2, pytest.param(16, marks=pytest.mark.slow)]
)
def test_the_first_repetition_of_every_kernel_comes_before_the_second_of_any(run, cores):
    jobs = run(3, cores)
    assert Counter(stage for stage, *_ in jobs) == {"machine": 1, "build": 6, "measure": 9, "merge": 3}
    stages = [stage for stage, *_ in jobs if stage != "merge"]
    assert stages == ["machine", *6 * ["build"], *9 * ["measure"]]
    measured = [tuple(of) for stage, *of in jobs if stage == "measure"]
    for number in (1, 2, 3):
        assert sorted(measured[3 * number - 3 : 3 * number]) == [(kernel, str(number)) for kernel in KERNELS]


def test_machines_are_described_before_anything_is_built_or_measured(run):
    """Machines are described before any build or measurement, even if another machine's repetitions could start."""
    jobs = run(1, 1, machines=("local", "other", "third"))
    assert [stage for stage, *_ in jobs][:4] == [*3 * ["machine"], "build"]


def test_further_repetitions_are_jobs_of_their_own_and_are_merged_with_those_there_are(run):
    run(2, 2)
    jobs = run(4, 2)
    assert {job for job in jobs if job[0] == "measure"} == {("measure", k, number) for k in KERNELS for number in "34"}
    assert {job for job in jobs if job[0] != "measure"} == {("merge", kernel) for kernel in KERNELS}
    assert run(4, 2) == []


@pytest.mark.slow
def test_builds_are_shared_by_configurations_with_and_without_peaks(run):
    run(1, 2)
    jobs = run(1, 2, peaks=True)
    assert {job for job in jobs if job[0] == "build"} == {("build", "peak_read")}
    assert not [job for job in run(1, 2) if job[0] == "build"]


@pytest.mark.slow
def test_a_journal_that_is_gone_has_its_kernel_measured_again(run, tmp_path):
    """A repetition without its journal is measured again. Exception: a repetition without cases has no journal."""
    run(2, 2)
    journal, measured = tmp_path / "results/local/journal", {**MEASURED, "config": {}}
    for name in KERNELS:
        for number in (1, 2):
            told = measured | {"cases": int((name, number) != ("alpha", 2))}
            (journal.parent / f"repetitions/{name}/{number}.json").write_text(json.dumps(told))
    run(2, 2)
    (journal / "alpha.2.jsonl").unlink()
    assert run(2, 2) == []
    (journal / "gamma.2.jsonl").unlink()
    assert {job[:2] for job in run(2, 2)} == {("measure", "gamma"), ("merge", "gamma")}


@pytest.mark.slow
def test_dry_runs_write_nothing(run, tmp_path):
    """A dry run writes only to .snakemake, both in a new folder and after the loss of a journal."""
    commands = [("snakemake", "-s", project.SNAKEFILE), ("accelbench", "run")]

    def contents():
        paths = [path for path in tmp_path.rglob("*") if path.is_file() and ".snakemake" not in path.parts]
        return {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in paths}

    write_config(tmp_path, protocol={"repetitions": 2})
    for command in commands:
        before = contents()
        assert shell(*command, "-n", "--configfile", "own.yaml", cwd=tmp_path).returncode == 0
        assert contents() == before
    run(2, 2)
    journal = tmp_path / "results/local/journal"
    told = json.dumps(MEASURED | {"config": {}, "cases": 1})
    (journal.parent / "repetitions/gamma/2.json").write_text(told)
    run(2, 2)
    (journal / "gamma.2.jsonl").unlink()
    future = time.time() + 7200
    os.utime(journal.parent / "repetitions/alpha/1.json", (future, future))
    before = contents()
    done = shell(*commands[0], *TARGETS, "-n", "--configfile", "own.yaml", cwd=tmp_path)
    assert contents() == before
    assert "Measuring gamma on local, repetition 2" in done.stdout + done.stderr
    assert "Measuring alpha" not in done.stdout + done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("command", [("snakemake", "-s", project.SNAKEFILE), ("accelbench", "run")])
def test_the_scheduler_sleeps_while_something_is_measured(run, tmp_path, monkeypatch, command):
    """The scheduler uses almost no CPU time during a measurement, even after many jobs."""
    monkeypatch.setenv("SLEEPS", "3")
    run(20, 2, command=command)
    spent = [float(line.split()[1]) - float(line.split()[0]) for line in (tmp_path / "spent").read_text().splitlines()]
    assert len(spent) == 1
    assert spent[0] <= 0.1, "CPU time in 3 s of wall time, in seconds"


def test_contents_decide_and_times_do_not(run, tmp_path):
    """A changed source causes reruns. Changed times of sources and results cause none, even times in the future."""
    future, past = time.time() + 7200, time.time() - 10**8
    kernels = tmp_path / "my kernels"
    for path in kernels.rglob("*"):
        os.utime(path, (future, future))
    assert Counter(stage for stage, *_ in run(1, 2)) == {"machine": 1, "build": 6, "measure": 3, "merge": 3}
    for path in [*kernels.rglob("*"), *(tmp_path / "results").rglob("*")]:
        later = future + path.stat().st_mtime - time.time()
        os.utime(path, (later, later))
    assert run(1, 2) == []
    source = kernels / "beta" / "twice.c"
    source.write_text("int thrice;")
    os.utime(source, (past, past))
    changed = {("build", "beta"), ("measure", "beta", "1"), ("merge", "beta")}
    assert set(run(1, 2)) == changed
    assert run(1, 2) == []


def test_a_changed_source_has_every_repetition_measured_again(run, tmp_path):
    """Snakemake does not check a job whose `ancient` inputs are about to be made again.

    So the inputs must not be marked `ancient`.
    """
    race = {"min": 2, "max": 3}
    run(race, 2)
    (tmp_path / "my kernels" / "beta" / "numpy_ufunc.py").write_text(
        '"""As it is."""\ndef run(x, y):\n    y[:] = 2 * x\n'
    )
    measured = {job for job in run(race, 2) if job[0] == "measure"}
    assert measured == {("measure", "beta", number) for number in "123"}
