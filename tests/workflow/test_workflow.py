"""The workflow as people run it: the plan, the configuration, the start-up, and one run from end to end."""

import contextlib
import csv
import fcntl
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest
import yaml
from dry_run import dry_run
from pydantic import BaseModel
from twice import KERNEL, command, shell
from typer.testing import CliRunner

from accelbench import config as configuration
from accelbench import project
from accelbench.cli import commands, ending, run
from accelbench.config import select
from accelbench.store import failures, files
from accelbench.toolchains import cython_extension

RULES = ["describe_machine", "build_kernel", "measure_kernel", "make_tables", "make_report"]


def snakemake(*arguments, cwd, snakefile=project.SNAKEFILE):
    return shell("snakemake", "-s", snakefile, *arguments, cwd=cwd)


def plan(*arguments, cwd, **options):
    """{rule: number of jobs} of a dry run."""
    done = dry_run(*arguments, cwd=cwd, **options)
    assert done.returncode == 0, done.stderr
    return {name: int(count) for name, count in re.findall(r"^(\w+) {2,}(\d+)$", done.stdout + done.stderr, re.M)}


def settings(*arguments, cwd, **options):
    """The settings a dry run would measure the kernel `twice` with."""
    return settings_told(dry_run("-p", *arguments, cwd=cwd, **options))


def settings_told(done):
    """The settings in what a finished dry run told."""
    assert done.returncode == 0, done.stderr
    found = re.findall(r"accelbench measure twice .*--settings '([^']*)'", done.stdout + done.stderr)
    return json.loads(found[0])


@pytest.fixture
def place(tmp_path):
    """An empty folder with a configuration own.yaml and a kernel `twice` beside it."""
    folder = tmp_path / "my kernels" / "twice"
    folder.mkdir(parents=True)
    (folder / "kernel.py").write_text(KERNEL)
    (folder / "numpy_ufunc.py").write_text('"""As it is."""\ndef run(x, y):\n    y[:] = x + x\n')
    write_config(tmp_path)
    return tmp_path


def write_config(place, **keys):
    data = {"preset": "smoke", "limits": False, "kernels_path": [str(place / "my kernels")], **keys}
    path = place / "own.yaml"
    path.write_text(yaml.safe_dump(data))
    return path


# The plan


def jobs_of_the_default_sweep():
    """How many of them measure."""
    kernels = len(configuration.read(project.DEFAULT_CONFIG).kernels)
    limits = len(list(project.LIMITS.glob("limit_*"))) - 1  # none of the kernels only writes
    return kernels + limits


def test_default_sweep_is_planned_whole_from_anywhere(tmp_path):
    counted = plan(cwd=tmp_path)
    assert counted["measure_kernel"] == jobs_of_the_default_sweep()
    assert counted["describe_machine"] == counted["make_tables"] == counted["make_report"] == 1
    assert not (tmp_path / "results").exists()


def test_numbers_within_lists_and_mappings_of_the_command_line(place):
    """Snakemake hands them over as text."""
    own = ["--configfile", "own.yaml", "--config", "sizes=[1000, 2000]", "threads=[1, all]", "protocol={processes: 2}"]
    found = settings(*own, 'block_sizes_2d=[8, "8x8"]', "limits=false", cwd=place)
    assert (found["sizes"], found["threads"]) == ([1000, 2000], [1, "all"])
    assert found["protocol"]["processes"] == 2
    assert found["block_sizes_2d"] == [8, "8x8"]


def test_a_run_is_narrowed_by_options(place):
    own = ["--configfile", "own.yaml", "--backend", "numpy", "--size", 1000, "--size", 7]
    found = settings_told(shell("accelbench", "run", "-n", "-p", *own, cwd=place))
    assert (found["sizes"], found["backends"]) == ([1000, 7], ["numpy"])


def test_own_kernels_without_limits_in_another_directory(place):
    assert plan("--configfile", "own.yaml", "-d", place / "elsewhere", cwd=place) == {
        **dict.fromkeys(["describe_machine", "measure_kernel", "make_tables", "make_report", "all"], 1),
        "total": 5,
    }


def test_native_sources_are_built_per_toolchain(place):
    folder = place / "my kernels" / "twice"
    (folder / "twice.c").write_text("int twice;")
    for name in ("ctypes_c", "cffi_api"):
        (folder / f"{name}.py").write_text('"""In C."""\nSOURCES = ("twice.c",)\ndef run(x, y):\n    pass\n')
    assert plan("--configfile", "own.yaml", cwd=place)["build_kernel"] == 2
    write_config(place, implementations=["ctypes_*"])
    assert plan("--configfile", "own.yaml", cwd=place)["build_kernel"] == 1


def test_single_target(place):
    counted = plan("--configfile", "own.yaml", "--cores", "1", "results/local/timings/twice.jsonl", cwd=place)
    assert counted == {"describe_machine": 1, "measure_kernel": 1, "total": 2}


def write_module(place, used=project.SNAKEFILE, **keys):
    """A workflow of its own that uses this one as a module, for the kernels in `my kernels`."""
    config = {"limits": False, "kernels_path": [str(place / "my kernels")], **keys}
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


SNAKEFILES = (project.SNAKEFILE, project.ROOT / "workflow" / "Snakefile")


def test_the_snakefile_of_the_catalogue_plans_the_same_with_the_same_profile(place):
    done = [dry_run("-p", "--configfile", "own.yaml", cwd=place, snakefile=snakefile) for snakefile in SNAKEFILES]
    assert [run.returncode for run in done] == [0, 0], done
    commands = [re.findall(r"-m accelbench .*", run.stdout + run.stderr) for run in done]
    assert len(commands[0]) == 4
    assert commands[0] == commands[1]
    assert all("Using workflow specific profile" in run.stderr for run in done)


@pytest.mark.parametrize("used", SNAKEFILES, ids=["root", "workflow"])
def test_as_a_module_with_a_prefix(place, used):
    write_module(place, used)
    counted = plan("--cores", "1", cwd=place, snakefile=place / "Snakefile")
    assert counted == {**{f"bench_{rule}": 1 for rule in RULES if rule != "build_kernel"}, "mine": 1, "total": 5}


def test_a_module_takes_no_notice_of_its_users_configuration(place):
    """Without `config:` it is the default sweep, whatever --configfile says to the workflow that uses it."""
    write_module(place)
    text = (place / "Snakefile").read_text()
    (place / "Snakefile").write_text(re.sub(r"    config: .*\n", "", text))
    (place / "outer.yaml").write_text("kernels: [nosuch]\n")
    counted = plan("--configfile", "outer.yaml", "--cores", "1", cwd=place, snakefile=place / "Snakefile")
    assert counted["bench_measure_kernel"] == jobs_of_the_default_sweep()


def test_several_machines_do_not_mix(place):
    write_config(place, machines={"laptop": {}, "server": {}})
    assert plan("--configfile", "own.yaml", cwd=place)["measure_kernel"] == 2


def test_dag(tmp_path):
    drawn = snakemake("--dag", cwd=tmp_path)
    assert drawn.stdout.startswith("digraph")


def test_every_rule_names_its_log_and_environment():
    for rule in RULES:
        text = next(
            path.read_text() for path in (project.ROOT / "workflow/rules").glob("*.smk") if rule in path.read_text()
        )
        for directive in ("log:", "threads:", "resources:", "conda:", "message:"):
            assert f"    {directive}" in text, (rule, directive)


def test_the_journal_is_nobodys_output():
    assert "journal" not in re.sub(r"#.*", "", (project.ROOT / "workflow/rules/measure.smk").read_text())


def test_declared_tables_are_those_that_are_made():
    from accelbench import analysis

    text = (project.ROOT / "workflow/rules/tables.smk").read_text()
    declared = re.search(r"TABLES = (\[.*?\])", text, re.S)[1]
    assert sorted(yaml.safe_load(declared)) == sorted(analysis.COLUMNS)


def test_start_up_takes_little_more_than_snakemakes_own(tmp_path):
    def processor_time(*arguments):  # not the clock's, which tells more about what else is running
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        assert snakemake(*arguments, cwd=tmp_path).returncode == 0
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    assert processor_time("-n", "--quiet") <= 2 * processor_time("--version")


# The configuration


def test_a_configuration_file_replaces_the_default_wholly(place):
    (place / "own.yaml").write_text(f"kernels_path: [{str(place / 'my kernels')!r}]\nlimits: false\n")
    used = settings("--configfile", "own.yaml", cwd=place)
    expected = configuration.read(place / "own.yaml").settings("twice")
    assert used == expected
    assert configuration.read(project.DEFAULT_CONFIG).kernels, "else this test could not tell"


def test_single_keys_override_whichever_file_is_used(place):
    used = settings("--configfile", "own.yaml", "--config", "preset=lecture", cwd=place)
    assert used["preset"] == "lecture"
    assert used["limits"] is False
    own = f"kernels_path=['{place / 'my kernels'}']"
    used = settings("--config", own, "kernels=['twice']", "limits=false", cwd=place)
    default = configuration.read(project.DEFAULT_CONFIG).settings("twice")
    assert used == {**default, "kernels_path": [str(place / "my kernels")], "limits": False}


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    "data", [{}, {"block_sizes_2d": ["16x16"]}, {"kernels": {"twice": {"block_sizes": [64, "8x8"], "sizes": [1]}}}]
)
def test_what_a_rule_hands_on_is_read_back_the_same(data):
    sliced = configuration.parse(data).settings("twice")
    assert configuration.parse(json.loads(json.dumps(sliced))).settings("twice") == sliced


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("kernel: [twice]", "unknown key 'kernel'"),
        ("kernels: [nope]", "no kernel 'nope'"),
        ("kernels: []", "empty"),
        ("kernels: ['a/b;c']", "not a kernel name"),
        ("preset: enormous", "preset"),
        ("implementations: [fortran_*]", "matches none"),
        ("dtypes: [float16]", "float16"),
        ("kernels: {twice: {sizes: [-1]}}", "sizes"),
        ("kernels: {twice: {sizes: [many]}}", "sizes"),
        ("block_sizes: [0]", "block size"),
        ("threads: []", "threads"),
        ("machines: {'../x': {}}", "machines"),
        ("kernels_path: [/nowhere]", "/nowhere"),
        ("a: [", "own.yaml"),
        ("- a", "not a mapping"),
        ("\x00", "own.yaml"),
    ],
)
def test_bad_configuration_is_one_message_before_work_starts(place, text, told):
    own = f"kernels_path: [{str(place / 'my kernels')!r}]\n" if "kernels_path" not in text and ":" in text else ""
    (place / "own.yaml").write_text(own + text)
    words = ["run", "--configfile", str(place / "own.yaml"), "--cores", "1", "--directory", str(place / "out")]
    done = CliRunner().invoke(commands.app, words)
    assert done.exit_code == 2
    assert told in done.stderr
    assert done.stderr.count("\n") == 1
    assert not list((place / "out").rglob("*.json*"))


def test_broken_kernel_folder_is_one_message(place):
    (place / "my kernels" / "twice" / "numpy_ufunc.py").write_text("def (")
    done = dry_run("--configfile", "own.yaml", cwd=place)
    assert done.returncode != 0
    assert "syntax error" in done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr


def model_keys():
    """(heading or table cell, example) of every key of the configuration's models."""
    for name, field in configuration.Config.model_fields.items():
        section = field.annotation
        if isinstance(section, type) and issubclass(section, BaseModel):
            yield from ((name, key) for key in section.model_fields)
        else:
            yield None, name
    yield from (("kernels.<kernel>", key) for key in configuration.Sweep.model_fields)
    yield from (("machines", key) for key in configuration.Machine.model_fields)


@pytest.mark.parametrize(("section", "key"), list(model_keys()))
def test_readme_explains_every_key_with_an_example(section, key):
    text = (project.ROOT / "config" / "README.md").read_text()
    if section in ("protocol", "build"):
        part = text[text.index(f": `{section}`") :]
        row = re.search(rf"^\| `{key}` \| (?P<default>.+?) \| .{{20,}} \| `{key}: (?P<example>.+)` \|$", part, re.M)
        model = {"protocol": configuration.Protocol, "build": configuration.Build}[section]
        default = yaml.safe_load(row["default"])
        assert default == json.loads(json.dumps(getattr(model(), key)))
        assert configuration.parse({section: {key: yaml.safe_load(row["example"])}})
        return
    if section == "machines":
        row = re.search(rf"^\| `{key}` \| (?:SLURM|HTCondor|both) \| .{{10,}} \| `({key}: .+)` \|$", text, re.M)
        assert configuration.parse({"machines": {"node": yaml.safe_load(row[1])}})
        return
    heading = f"### `{section}.{key}`" if section else f"### `{key}`"
    part = text[text.index(heading + "\n") :]
    example = yaml.safe_load(re.search(r"```yaml\n(.*?)```", part, re.S)[1])
    assert list(example) == [key]
    if section:
        assert configuration.Sweep.model_validate(example)
    else:
        assert configuration.parse(example)


def test_readme_explains_no_key_that_is_gone():
    text = (project.ROOT / "config" / "README.md").read_text()
    headings = set(re.findall(r"^### `(.+)`$", text, re.M)) | set(re.findall(r"^\| `(\w+)` \|", text, re.M))
    known = {f"{section}.{key}" if section == "kernels.<kernel>" else key for section, key in model_keys()}
    assert headings - known == set()


@pytest.mark.parametrize("path", sorted((project.ROOT / "config").glob("*.yaml")), ids=lambda path: path.name)
def test_configurations_that_come_along_are_valid(path):
    if path.name != "figures.yaml":
        assert select.plan(configuration.read(path), path)[1] == {}


# One run at a time


def test_a_run_ends_with_the_make_that_started_it(place):
    """Killed, make cannot tell it to."""
    files.write(place / "envs" / "install.py", "")
    python = place / ".venv" / "bin" / "python"
    workflow = project.ROOT / "workflow"
    files.write(python, f'#!/bin/sh\nPYTHONPATH="{workflow}" exec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    begun = place / "begun"
    waiting = f"import os, time\nopen({str(begun)!r}, 'w').write(str(os.getpid()))\ntime.sleep(60)\n"
    files.write(place / "my kernels" / "twice" / "kernel.py", waiting)
    words = ["make", "-f", project.ROOT / "Makefile", "report", "CONFIG=own.yaml"]
    make = subprocess.Popen(words, cwd=place, start_new_session=True)
    try:
        deadline = time.monotonic() + 60
        while not begun.is_file() or not begun.read_text():
            assert make.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.05)
        (started,) = psutil.Process(make.pid).children()
        assert "run" in started.cmdline()
        make.kill()
        assert psutil.wait_procs([started], 5)[1] == []
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(make.pid, signal.SIGKILL)
        make.wait()


def test_second_run_says_who_is_running(place):
    lock = place / "results" / ".lock"
    lock.parent.mkdir()
    with lock.open("w") as stream:
        stream.write("process 4711 on nowhere\n")
        stream.flush()
        fcntl.lockf(stream, fcntl.LOCK_EX)
        done = shell("accelbench", "run", "--configfile", "own.yaml", "-n", cwd=place)
    assert done.returncode == 2
    assert "process 4711" in done.stderr
    assert time.strftime("since %Y-%m-%d") in done.stderr
    assert "Traceback" not in done.stderr


def test_a_dead_runs_lock_is_cleared(place):
    locks = place / ".snakemake" / "locks"
    locks.mkdir(parents=True)
    (locks / "0.output.lock").write_text("results/local/machine.json\n")
    run._clear_dead_lock(place)
    assert not locks.exists()


def test_a_living_snakemakes_lock_is_respected(place):
    (place / "Snakefile").write_text('rule a:\n    output: "a"\n    shell: "sleep 60; touch a"\n')
    child = subprocess.Popen(
        command("snakemake", "--cores", "1"), cwd=place, stderr=subprocess.DEVNULL, start_new_session=True
    )
    try:
        locks = place / ".snakemake" / "locks"
        deadline = time.monotonic() + 120
        while not (locks.is_dir() and any(locks.iterdir())):
            assert time.monotonic() < deadline
            time.sleep(0.1)
        done = shell("accelbench", "run", "--configfile", "own.yaml", cwd=place)
        assert done.returncode == 2
        assert f"process {child.pid} " in done.stderr
        assert any(locks.iterdir())
    finally:
        os.killpg(child.pid, signal.SIGKILL)
        child.wait()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_reaches_the_child_and_its_status_comes_back(number):
    code = (
        "import subprocess, sys\nfrom accelbench.cli import run\nunblock = run._block_signals()\n"
        "child = [sys.executable, '-c', 'import signal, sys, time\\n"
        f"signal.signal({number.value}, lambda *a: sys.exit(7))\\nprint(1, flush=True)\\ntime.sleep(30)']\n"
        "sys.exit(run._wait(subprocess.Popen(child, preexec_fn=unblock)))\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(project.ROOT / "workflow")}
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, env=environment) as parent:
        assert parent.stdout.readline() == b"1\n"
        parent.send_signal(number)
        assert parent.wait(60) == 7


def test_summary_counts_this_runs_outcomes_says_why_they_failed_and_names_the_pages(tmp_path):
    assert ending.summary(["local"], 3.2, tmp_path) == "Time:     3 s"
    results, pages = tmp_path / "results" / "local", tmp_path / "reports" / "local"
    pages.mkdir(parents=True)
    report, lectures = pages / "index.html", pages / "lectures.html"
    lectures.write_text("x")
    assert ending.summary(["local"], 3.2, tmp_path).splitlines() == [f"Lectures: {lectures}", "Time:     3 s"]
    report.write_text("x")
    rows = [
        "a,numpy_x,ok,5,",
        "a,c_y,crashed,2,killed by SIGSEGV",
        "a,c_z,unavailable,1,no compiler",
        "b,numpy_x,ok,9,",
    ]
    files.write(results / "tables" / "outcomes.csv", "kernel,implementation,outcome,cases,reason\n" + "\n".join(rows))
    files.write_json(results / "kernels" / "a.json", {"left_out": 54})
    files.write(results / "logs" / "measure_kernel" / "a.log", "2026-01-01 00:00:00,000 ERROR kernel.py: no. Mend it\n")
    files.write(results / "logs" / "measure_kernel" / "b.log", "2026-01-01 00:00:00,000 INFO on here\n")
    assert ending.summary(["local"], 63.4, tmp_path, ["a"]).splitlines() == [
        f"Report:   {report}",
        "Outcomes: 5 ok, 1 unavailable, 2 crashed",
        "          2 of a/c_y: crashed: killed by SIGSEGV",
        "          What you mend is measured by the next run; --retry has it try them all as they are",
        "Besides:  9 cases of 1 other kernels, measured before, are in the report, too",
        "Left out: 54 cases of a, measured before: a run that asks for them shows them again",
        f"Lectures: {lectures}",
        f"Failed:   measuring a: kernel.py: no. Mend it (see {results}/logs/measure_kernel/a.log)",
        "          The same command tries it again; what was measured is kept",
        "Time:     1 min 3 s",
    ]


def test_the_time_of_a_failed_run_is_that_of_its_report_too(tmp_path, monkeypatch):
    clock = [5.0]
    monkeypatch.setattr(ending, "time", SimpleNamespace(monotonic=lambda: clock[0]))
    monkeypatch.setattr(ending, "_report_what_there_is", lambda *_: clock.__setitem__(0, 65.0))
    assert ending.end(configuration.parse({}), [], False, 5.0, directory=tmp_path) == "Time:     1 min 0 s"


def test_what_failed_is_told_from_what_finished_and_what_was_killed(tmp_path):
    line = "2026-01-01 00:00:00,000"
    logs = {
        "describe_machine": f"{line} INFO finished\n",
        "build_kernel/a/c": f"{line} INFO on here\n",
        "measure_kernel/a": f"{line} ERROR internal error\nTraceback (most recent call last):\nValueError: so\n",
        "measure_kernel/done": f"{line} ERROR a remark\n",
    }
    for name, text in logs.items():
        files.write(tmp_path / "logs" / f"{name}.log", text)
    files.write(tmp_path / "timings" / "done.jsonl", "x")
    assert [(f.what, f.kernel, f.reason) for f in failures.of(tmp_path)] == [
        ("building a with c", "a", failures.KILLED),
        ("measuring a", "a", "ValueError: so"),
    ]


# From end to end


SMOKE = project.ROOT / "config" / "smoke.yaml"


@pytest.fixture(scope="module")
def smoke(tmp_path_factory):
    """(folder, finished process) of a sweep in a folder of its own, with a configuration own.yaml: the smoke
    configuration for one kernel, one implementation a toolchain, without optimising: PoCL's takes half a minute."""
    place = tmp_path_factory.mktemp("smoke")
    own = {"kernels": ["vector_sum"], "build": {"cflags": ["-O0"], "opencl_flags": ["-cl-opt-disable"]}}
    own["implementations"] = ["numba_njit", "ctypes_c", "cffi_api", "cython_typed", "pyopencl_raw*"]
    shared, build = place / "results" / "local" / "build" / ".shared", configuration.Build()
    shared.mkdir(parents=True)
    name = cython_extension._shared_name(build)
    shutil.copy(cython_extension._shared_module(SimpleNamespace(config=build), name), shared)
    (place / "own.yaml").write_text(yaml.safe_dump(yaml.safe_load(SMOKE.read_text()) | own))
    return place, shell("accelbench", "run", "--configfile", "own.yaml", "--cores", "all", cwd=place)


@pytest.mark.e2e
@pytest.mark.slow
def test_the_smoke_configuration_measures_all_its_kernels(tmp_path):
    done = shell("accelbench", "run", "--configfile", SMOKE, "--cores", "all", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert measured_kernels(tmp_path) >= set(configuration.read(SMOKE).kernels)


def measured_kernels(place):
    """Those with a case that is ok, in the table of timings."""
    with (place / "results/local/tables/timings.csv").open() as stream:
        return {row["kernel"] for row in csv.DictReader(stream) if row["outcome"] == "ok"}


@pytest.mark.e2e
def test_another_workflow_measures_its_own_kernels_through_the_module(place, described):
    write_module(place, preset="smoke", protocol={"processes": 1, "startup": False, "budget_s": 0.02, "passes": 1})
    files.write_json(place / "sub" / "results" / "local" / "machine.json", described)
    done = snakemake("--cores", "all", cwd=place, snakefile=place / "Snakefile")
    assert done.returncode == 0, done.stderr
    lines = (place / "sub/results/local/timings/twice.jsonl").read_text().splitlines()
    assert {json.loads(line)["outcome"] for line in lines} == {"ok"}
    assert "Twice" in (place / "sub/reports/local/index.html").read_text()
    assert not (place / "results").exists()


@pytest.mark.e2e
def test_smoke_run_makes_everything(smoke):
    place, done = smoke
    assert done.returncode == 0, done.stderr
    report = place / "reports" / "local" / "index.html"
    assert report.stat().st_size > 10_000
    assert str(report.resolve()) in done.stdout
    assert re.search(r"Outcomes: \d+ ok", done.stdout)
    assert "Traceback" not in done.stderr
    assert "Warning" not in done.stderr
    assert measured_kernels(place) == {"vector_sum"}


@pytest.mark.e2e
def test_second_run_measures_nothing(smoke):
    place, _ = smoke
    journals = {path: path.read_bytes() for path in (place / "results/local/journal").glob("*.jsonl")}
    assert journals
    done = shell("accelbench", "run", "--configfile", "own.yaml", "--cores", "all", cwd=place)
    assert done.returncode == 0, done.stderr
    assert "Nothing to be done" in done.stderr
    assert {path: path.read_bytes() for path in journals} == journals


@pytest.mark.e2e
def test_bare_snakemake_finds_nothing_left_to_do(smoke):
    place, _ = smoke
    done = snakemake("--configfile", "own.yaml", cwd=place)
    assert done.returncode == 0, done.stderr
    assert "Nothing to be done" in done.stderr


@pytest.mark.e2e
def test_deleted_results_come_back_from_the_journal_though_their_report_is_there(smoke):
    place, _ = smoke
    timings = place / "results/local/timings/vector_sum.jsonl"
    journal = place / "results/local/journal/vector_sum.jsonl"
    before, measured = timings.read_text(), journal.read_bytes()
    for name in ("timings", "kernels", "tables"):
        shutil.rmtree(place / "results/local" / name)
    done = snakemake("--configfile", "own.yaml", cwd=place)
    assert done.returncode == 0, done.stderr
    assert (place / "results/local/tables/timings.parquet").exists()
    assert journal.read_bytes() == measured
    assert timings.read_text() == before
    lost = {"tables/winners.csv": "make_tables", "kernels/vector_sum.json": "measure_kernel"}
    lost["machine.json"] = "describe_machine"
    for name, rule in lost.items():
        (place / "results/local" / name).rename(place / "kept")
        assert plan("--configfile", "own.yaml", cwd=place)[rule] == 1
        (place / "kept").rename(place / "results/local" / name)


@pytest.mark.e2e
def test_snakemake_report_holds_report_and_figures(smoke):
    place, _ = smoke
    done = snakemake("--configfile", "own.yaml", "--report", "snakemake.html", cwd=place)
    if "Failed to download" in done.stderr or "URLError" in done.stderr or "ConnectionError" in done.stderr:
        pytest.skip("`snakemake --report` fetches parts of its page from the network")
    assert done.returncode == 0, done.stderr
    text = (place / "snakemake.html").read_text()
    assert "Figures" in text
    assert Path(place / "snakemake.html").stat().st_size > 100_000
