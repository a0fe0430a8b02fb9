"""Dry runs of Snakemake: from any folder, with either Snakefile, and as a module."""

import json
import math
import re
import resource
import shutil

import pytest
from command_line import invoke, shell
from dry_run import dry_run
from twice import configuration as used_configuration
from twice import plan, snakemake, write_config, write_module

from accelbench import config as configuration
from accelbench import project
from accelbench.config import run_plan
from accelbench.store import formats

RULES = ["describe_machine", "build_kernel", "measure_kernel", "merge_repetitions", "make_tables"]
RULES += ["link_pages", "make_report"]
REPETITIONS = configuration.Protocol().repetitions.max


def kernels_of_the_default_sweep():
    """Return the number of measured kernels, including the kernels that measure the machine's peaks."""
    kernels = len(configuration.read(project.DEFAULT_CONFIG).kernels)
    limits = len(list(project.PEAKS.glob("peak_*"))) - 1  # not peak_write, as no kernel only writes
    return kernels + limits


def jobs_of_the_default_sweep():
    """Return the number of repetitions of all kernels; the machine's peaks are measured once."""
    kernels = len(configuration.read(project.DEFAULT_CONFIG).kernels)
    return (REPETITIONS - 1) * kernels + kernels_of_the_default_sweep()


def test_default_sweep_is_planned_whole_from_anywhere(tmp_path):
    counted = plan(cwd=tmp_path)
    assert counted["measure_kernel"] == jobs_of_the_default_sweep()
    assert counted["merge_repetitions"] == kernels_of_the_default_sweep()
    assert counted["describe_machine"] == counted["make_tables"] == counted["make_report"] == 1
    assert not (tmp_path / "results").exists()


def test_command_line_numbers_within_lists_and_mappings(workplace):
    """Numbers in nested values of --config are restored, since Snakemake passes them as strings."""
    own = ["--configfile", "own.yaml", "--config", "sizes=[1000, 2000]", "threads=[1, all]"]
    more = ["protocol={min_rounds: 2}", 'block_sizes_2d=[8, "8x8"]', "peaks=false"]
    found = used_configuration(*own, *more, cwd=workplace)
    assert (found["sizes"], found["threads"]) == ([1000, 2000], [1, "all"])
    assert found["protocol"]["min_rounds"] == 2
    assert found["block_sizes_2d"] == [8, "8x8"]


@pytest.mark.slow
def test_run_is_narrowed_by_options(workplace):
    own = ["--configfile", "own.yaml", "--backend", "numpy", "--size", 1000, "--size", 7]
    found = used_configuration(*own, cwd=workplace, command=("accelbench", "run"))
    assert (found["sizes"], found["backends"]) == ([1000, 7], ["numpy"])


@pytest.mark.slow
def test_dry_run_says_how_long_it_takes(workplace):
    """A dry run gives the number of cases and a duration, here for two sizes in two dtypes."""
    done = shell("accelbench", "run", "-n", "--configfile", "own.yaml", "--size", 1000, "--size", 7, cwd=workplace)
    first, *_, last = done.stdout.splitlines()
    assert re.fullmatch(r"To measure: 4 cases, roughly \d+ min", first)
    assert last == first
    assert not (workplace / "results" / "local").exists()


def test_own_kernels_without_limits_in_another_directory(workplace):
    assert plan("--configfile", "own.yaml", "-d", workplace / "elsewhere", cwd=workplace) == {
        **dict.fromkeys([rule for rule in [*RULES, "all"] if rule != "build_kernel"], 1),
        "measure_kernel": REPETITIONS,
        "total": REPETITIONS + 6,
    }


def test_native_sources_are_built_per_toolchain(workplace):
    folder = workplace / "my kernels" / "twice"
    (folder / "twice.c").write_text("int twice;")
    for name in ("ctypes_c", "cffi_api"):
        (folder / f"{name}.py").write_text('"""In C."""\nSOURCES = ("twice.c",)\ndef run(x, y):\n    pass\n')
    assert plan("--configfile", "own.yaml", cwd=workplace)["build_kernel"] == 2
    write_config(workplace, implementations=["ctypes_*"])
    assert plan("--configfile", "own.yaml", cwd=workplace)["build_kernel"] == 1


def test_single_target(workplace):
    counted = plan("--configfile", "own.yaml", "--cores", "1", "results/local/timings/twice.jsonl", cwd=workplace)
    assert counted == {
        **{"describe_machine": 1, "measure_kernel": REPETITIONS, "merge_repetitions": 1},
        "total": REPETITIONS + 2,
    }
    counted = plan("--configfile", "own.yaml", "--cores", "1", "results/local/repetitions/twice/2.json", cwd=workplace)
    # The cases of a race's repetition depend on the repetitions before it.
    assert counted == {"describe_machine": 1, "measure_kernel": 2, "total": 3}


SNAKEFILES = (project.SNAKEFILE, project.ROOT / "workflow" / "Snakefile")


def test_snakefile_of_the_catalogue_plans_the_same(workplace):
    done = [dry_run("-p", "--configfile", "own.yaml", cwd=workplace, snakefile=snakefile) for snakefile in SNAKEFILES]
    assert [run.returncode for run in done] == [0, 0], done
    commands = [re.findall(r"-m accelbench .*", run.stdout + run.stderr) for run in done]
    assert len(commands[0]) == REPETITIONS + 4
    assert commands[0] == commands[1]
    assert all("Using workflow specific profile" in run.stderr for run in done)


@pytest.mark.parametrize("used", SNAKEFILES, ids=["root", "workflow"])
def test_module_with_a_prefix(workplace, used):
    write_module(workplace, used)
    counted = plan("--cores", "1", cwd=workplace, snakefile=workplace / "Snakefile")
    needed = [rule for rule in RULES if rule not in ("build_kernel", "make_tables")]  # a report needs no tables
    jobs = {f"bench_{rule}": REPETITIONS if rule == "measure_kernel" else 1 for rule in needed}
    assert counted == {**jobs, "mine": 1, "total": sum(jobs.values()) + 1}


def test_module_takes_no_notice_of_its_users_configuration(workplace):
    """Without `config:`, a module runs the default sweep and ignores the --configfile of the workflow that uses it."""
    write_module(workplace)
    text = (workplace / "Snakefile").read_text()
    (workplace / "Snakefile").write_text(re.sub(r"    config: .*\n", "", text))
    (workplace / "outer.yaml").write_text("kernels: [nosuch]\n")
    counted = plan("--configfile", "outer.yaml", "--cores", "1", cwd=workplace, snakefile=workplace / "Snakefile")
    assert counted["bench_measure_kernel"] == jobs_of_the_default_sweep()


@pytest.mark.slow
def test_several_machines_do_not_mix(workplace):
    write_config(workplace, machines={"laptop": {}, "server": {}})
    assert plan("--configfile", "own.yaml", cwd=workplace)["measure_kernel"] == 2 * REPETITIONS


def test_dag(tmp_path):
    drawn = snakemake("--dag", cwd=tmp_path)
    assert drawn.stdout.startswith("digraph")


def test_rules_name_their_logs_and_environments():
    for rule in RULES:
        text = next(
            path.read_text() for path in (project.ROOT / "workflow/rules").glob("*.smk") if rule in path.read_text()
        )
        for directive in ("log:", "conda:", "message:"):
            assert f"    {directive}" in text, (rule, directive)


def test_journal_is_nobodys_output():
    assert "journal" not in re.sub(r"#.*", "", (project.ROOT / "workflow/rules/measure.smk").read_text())


@pytest.mark.slow
def test_start_up_takes_little_more_than_snakemakes_own(tmp_path):
    """A dry run takes at most twice the CPU time of `snakemake --version`.

    The test compares minima of alternating runs, since other load makes the same work take up to 1.5 times as long.
    """

    def processor_time(*arguments):  # CPU time, since wall time depends more on other load
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        assert snakemake(*arguments, cwd=tmp_path).returncode == 0
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    least = [math.inf, math.inf]
    for _ in range(5):
        least = [min(least[0], processor_time("-n", "--quiet")), min(least[1], processor_time("--version"))]
        if least[0] <= 2 * least[1]:
            break
    assert least[0] <= 2 * least[1]


def written(*paths):
    """Return the configuration in files as plain data."""
    return configuration.read(*paths).model_dump(mode="json")


def test_configuration_file_replaces_the_default_wholly(workplace):
    (workplace / "own.yaml").write_text(f"kernels_path: [{str(workplace / 'my kernels')!r}]\npeaks: false\n")
    used = used_configuration("--configfile", "own.yaml", cwd=workplace)
    assert used == written(workplace / "own.yaml")
    assert configuration.read(project.DEFAULT_CONFIG).kernels, "the default configuration must list kernels"


def test_single_keys_override_whichever_file_is_used(workplace):
    used = used_configuration("--configfile", "own.yaml", "--config", "preset=lecture", cwd=workplace)
    assert used["preset"] == "lecture"
    assert used["peaks"] is False
    own = f"kernels_path=['{workplace / 'my kernels'}']"
    used = used_configuration("--config", own, "kernels=['twice']", "peaks=false", cwd=workplace)
    different = {"kernels_path": [str(workplace / "my kernels")], "peaks": False, "kernels": used["kernels"]}
    assert used == {**written(project.DEFAULT_CONFIG), **different}
    assert list(used["kernels"]) == ["twice"]


def test_kernels_of_the_command_line_replace_those_of_the_file(workplace):
    shutil.copytree(workplace / "my kernels" / "twice", workplace / "my kernels" / "again")
    write_config(workplace, kernels={"again": {}, "twice": {"sizes": [7]}})
    chosen = "kernels={twice: {dtypes: [float64]}}"
    assert plan("--configfile", "own.yaml", cwd=workplace)["measure_kernel"] == 2 * REPETITIONS
    assert plan("--configfile", "own.yaml", "--config", chosen, cwd=workplace)["measure_kernel"] == REPETITIONS
    kernels = used_configuration("--configfile", "own.yaml", "--config", chosen, cwd=workplace)["kernels"]
    assert (kernels["twice"]["dtypes"], kernels["twice"]["sizes"]) == (["float64"], None)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    "data", [{}, {"block_sizes_2d": ["16x16"]}, {"kernels": {"twice": {"block_sizes": [64, "8x8"], "sizes": [1]}}}]
)
def test_plan_is_read_back_the_same(tmp_path, data):
    config = configuration.parse(data)
    planned = run_plan.RunPlan(
        config=config, lectures=config, where="here", configfiles=("a.yaml",), cores=None, reports="reports/"
    )
    path = tmp_path / "plans" / "a.json"
    formats.write(path, planned)
    assert run_plan.read(path) == planned


def test_each_of_two_modules_has_its_own_plan(workplace, monkeypatch):
    text = ""
    for name, sizes in (("first", [1]), ("second", [2])):
        sweep = {"peaks": False, "kernels_path": [str(workplace / "my kernels")], "sizes": sizes}
        text += (
            f"module {name}:\n    snakefile: {str(project.SNAKEFILE)!r}\n    config: {sweep!r}\n    prefix: {name!r}\n"
        )
        text += f"use rule * from {name} as {name}_*\n"
    (workplace / "Snakefile").write_text(text)
    (workplace / "stand_in.sh").write_text("""
python() {
    while [ "$1" != --plan ]; do shift; done
    cp "$2" "${2%/plans/*}/machine.json"
}
""")
    monkeypatch.setenv("BASH_ENV", str(workplace / "stand_in.sh"))
    made = [f"{name}/results/local/machine.json" for name in ("first", "second")]
    done = snakemake(*made, "--cores", "1", cwd=workplace, snakefile="Snakefile")
    assert done.returncode == 0, done.stderr
    assert [json.loads((workplace / file).read_text())["config"]["sizes"] for file in made] == [[1], [2]]


def test_a_run_replaces_no_plan_of_another(workplace):
    """A run keeps the plans of other runs, whose jobs may still run, or wait on a cluster."""
    for sizes in ([1], [2], [1]):
        chosen = f"kernels={{twice: {{sizes: {sizes}}}}}"
        used_configuration("--configfile", "own.yaml", "--config", chosen, cwd=workplace)
    plans = [json.loads(path.read_text()) for path in (workplace / "results/local/plans").glob("*.json")]
    assert sorted(each["config"]["kernels"]["twice"]["sizes"] for each in plans) == [[1], [2]]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("kernel: [twice]", "unknown key 'kernel'"),
        ("kernels: [nope]", "no kernel 'nope'"),
        ("kernels: []", "empty"),
        ("kernels: ['a/b;c']", "is not a valid name of a kernel"),
        ("preset: enormous", "preset"),
        ("implementations: [fortran_*]", "matches no implementation"),
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
def test_configuration_error_is_one_message_before_work_starts(workplace, text, told):
    own = f"kernels_path: [{str(workplace / 'my kernels')!r}]\n" if "kernels_path" not in text and ":" in text else ""
    (workplace / "own.yaml").write_text(own + text)
    words = ["run", "--configfile", str(workplace / "own.yaml"), "--cores", "1", "--directory", str(workplace / "out")]
    done = invoke(*words)
    assert done.exit_code == 2
    assert told in done.stderr
    assert done.stderr.count("\n") == 1
    assert not list((workplace / "out").rglob("*.json*"))


def test_kernel_folder_that_is_broken_is_one_message(workplace):
    (workplace / "my kernels" / "twice" / "numpy_ufunc.py").write_text("def (")
    done = dry_run("--configfile", "own.yaml", cwd=workplace)
    assert done.returncode != 0
    assert "syntax error" in done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr


def test_braces_in_a_path_are_no_wildcards(workplace):
    place = workplace / "of {x} and {{y}}"
    (workplace / "my kernels").rename(workplace / "kept")
    place.mkdir()
    (workplace / "kept").rename(place / "my kernels")
    write_config(place)
    assert plan("--configfile", "own.yaml", cwd=place)["measure_kernel"] == REPETITIONS
    assert used_configuration("--configfile", "own.yaml", cwd=place)["kernels_path"] == [str(place / "my kernels")]


def test_an_error_in_a_setting_of_the_command_line_is_told_from_one_in_the_file(workplace):
    done = dry_run("--configfile", "own.yaml", "--config", "preset=enormous", cwd=workplace)
    assert "own.yaml with --config: preset: must be" in done.stdout + done.stderr
