"""Tests of the command line: its input, its output, and its error messages."""

import errno
import lzma
import os
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from command_line import invoke

from accelbench import config, discovery, project
from accelbench.cli import commands, run
from accelbench.cli.kernels import find_target
from accelbench.cli.options import CommonOptions
from accelbench.config import select
from accelbench.config.select import EffectiveConfig
from accelbench.errors import InputError
from accelbench.kernels import catalog
from accelbench.machine import devices
from accelbench.model.entry import Again
from accelbench.model.watched import is_peak
from accelbench.processes.supervision import with_package
from accelbench.store import files

COMMANDS = [
    "try",
    "run",
    "list",
    "check",
    "new",
    "machine",
    "build",
    "measure",
    "merge",
    "tables",
    "report",
    "publish",
    "compare",
    "export",
    "bundle",
    "case",
    "profile",
    "machines",
]


def refusal(*arguments):
    """Return the message of a command that must end with status 2 and one line on stderr."""
    result = invoke(*arguments)
    assert result.exit_code == 2, result.output
    assert result.stderr.startswith("error: ")
    assert result.stderr.count("\n") == 1, result.stderr
    assert not result.stdout
    return result.stderr


@pytest.fixture
def kernels(tmp_path):
    """Return a folder of kernels with one new kernel."""
    result = invoke("new", "twice", "--directory", tmp_path / "kernels")
    assert result.exit_code == 0, result.output
    return tmp_path / "kernels"


@pytest.fixture
def configfile(tmp_path, kernels):
    path = tmp_path / "own.yaml"
    path.write_text(f"preset: smoke\npeaks: false\nkernels_path: [{kernels}]\n")
    return path


def test_every_command_is_there_and_none_is_forgotten_here():
    output = invoke("--help").output
    assert "..." not in output.partition("Commands:")[2]
    for name in COMMANDS:
        assert f"\n  {name} " in output
    assert len(COMMANDS) == len(commands.app.registered_commands)


@pytest.mark.parametrize("command", COMMANDS)
def test_help_explains_with_an_example(command):
    result = invoke(command, "--help")
    assert result.exit_code == 0
    assert "Example:\n" in result.output
    assert f"    python -m accelbench {command}" in result.output


def imported(code, libraries):
    """Return, as text, which of `libraries` a Python has imported after running `code`."""
    code += f"\nimport sys\nprint(sorted({libraries!r} & set(sys.modules)))"
    environment = {**os.environ, "PYTHONPATH": str(project.ROOT / "workflow")}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    return done.stdout.strip()


def test_help_is_quick_because_no_library_is_imported():
    code = (
        "from typer.testing import CliRunner\nfrom accelbench.cli import commands\n"
        "CliRunner().invoke(commands.app, ['run', '--help'])"
    )
    assert imported(code, {"numpy", "pandas", "matplotlib", "snakemake", "accelbench.model.machine"}) == "[]"


@pytest.mark.processes
def test_comparing_draws_and_imports_nothing_that_was_not_asked_for():
    """`compare` without figures imports neither pandas nor Matplotlib, which take longer than the comparison."""
    example = str(project.ROOT / "reports/examples/cpu-today")
    code = (
        "from typer.testing import CliRunner\nfrom accelbench.cli import commands\n"
        f"assert not CliRunner().invoke(commands.app, ['compare', *[{example!r}] * 2]).exit_code"
    )
    assert imported(code, {"pandas", "matplotlib", "scipy.stats"}) == "[]"


@pytest.mark.parametrize(
    ("option", "value", "said"),
    [
        ("--kernel", "saxpi", "no kernel 'saxpi'"),
        ("--backend", "nunba", "there is no backend 'nunba'"),
        ("--size", "-1", "sizes"),
    ],
)
def test_options_of_a_run_are_looked_at_before_anything_starts(option, value, said):
    assert said in refusal("run", "-n", option, value)


def test_what_every_snakemake_process_imports_comes_without_pandas():
    """workflow/rules/common.smk imports most modules of `code` in the main process, and again in each separate job."""
    code = "from accelbench import config, machine, project\nfrom accelbench.cli import run\n"
    code += "from accelbench.config import select\nfrom accelbench.lectures import entries, needs\nentries.read()"
    assert imported(code, {"pandas", "pyarrow", "scipy", "matplotlib"}) == "[]"


def test_new_kernel_is_a_complete_specification(kernels):
    folder = catalog.load(kernels / "twice")
    assert set(folder.implementations) == {folder.spec.baseline}
    assert "TODO" not in (kernels / "twice" / "kernel.py").read_text()


def test_new_kernel_computes_what_it_says(kernels):
    np = pytest.importorskip("numpy")
    folder = catalog.load(kernels / "twice")
    inputs = folder.inputs(31, "float32", rng=np.random.default_rng(1), options={})
    (expected,) = folder.expected(31, "float32", options={}, inputs=inputs)
    y = np.empty(31, "float32")
    discovery.import_file(kernels / "twice" / "numpy_multiply.py").run(inputs["x"], y)
    assert np.array_equal(expected, y)
    assert np.array_equal(y, inputs["x"] + inputs["x"])


@pytest.mark.parametrize(
    "name", ["python_loop", "numpy_other", "cython_typed", "ctypes_c", "cffi_api", "numba_njit", "pyopencl_raw"]
)
def test_new_implementation_is_read_and_takes_the_kernels_arguments(kernels, name):
    result = invoke("new", "twice", name, "--directory", kernels)
    assert result.exit_code == 0, result.output
    catalog._load.cache_clear()
    implementation = catalog.load(kernels / "twice").implementations[name]
    assert "def run(x, y):" in implementation.path.read_text()
    assert bool(implementation.sources) == (name in ("ctypes_c", "cffi_api", "pyopencl_raw"))


@pytest.mark.parametrize(
    ("name", "file", "words"),
    [
        ("numba_parallel", "numba_parallel.py", "in numba.prange("),
        ("cffi_openmp", "twice.c", "#pragma omp parallel for"),
        ("ctypes_openmp", "ctypes_openmp.py", 'FLAGS = ("-fopenmp",)'),
        ("cython_openmp", "cython_openmp.pyx", "from cython.parallel cimport prange"),
    ],
)
def test_new_implementation_is_laid_out_for_its_style(kernels, name, file, words):
    assert invoke("new", "twice", name, "--directory", kernels).exit_code == 0
    catalog._load.cache_clear()
    assert catalog.load(kernels / "twice").implementations[name].threads
    assert words in (kernels / "twice" / file).read_text()


def test_what_the_documentation_adds_replaces_what_new_writes(kernels):
    """The files in docs/kernel.md replace all files that `new cube` writes."""
    text = (project.ROOT / "docs" / "kernel.md").read_text()
    assert {f"`kernels/cube/{file.name}`:" in text for file in (kernels / "twice").glob("*.py")} == {True}


def test_new_implementation_leaves_native_sources_alone(kernels):
    source = kernels / "twice" / "twice.c"
    source.write_text("/* mine */\n")
    assert invoke("new", "twice", "ctypes_c", "--directory", kernels).exit_code == 0
    assert source.read_text() == "/* mine */\n"


def test_new_overwrites_nothing(kernels):
    before = (kernels / "twice" / "kernel.py").read_text()
    assert "already exists" in refusal("new", "twice", "--directory", kernels)
    assert "already exists" in refusal("new", "twice", "numpy_multiply", "--directory", kernels)
    assert (kernels / "twice" / "kernel.py").read_text() == before


@pytest.mark.parametrize("name", ["a/b", "../x", "a;rm", "$(x)", "a b", "A", "1a", "", "a\nb", "ä", "class"])
def test_new_refuses_names_that_are_no_module(tmp_path, name):
    assert "cannot be the name of a kernel" in refusal("new", name, "--directory", tmp_path)
    assert not list(tmp_path.iterdir())


def test_new_implementation_wants_a_known_backend(kernels):
    message = refusal("new", "twice", "fortran_loop", "--directory", kernels)
    assert "does not begin with a backend" in message
    assert "cython" in message


@pytest.mark.parametrize("name", ["numba", "numba_", "cython", "numba_cuda"])
def test_new_implementation_wants_more_than_a_backend(kernels, name):
    before = sorted((kernels / "twice").iterdir())
    assert "the name has nothing after the backend" in refusal("new", "twice", name, "--directory", kernels)
    assert sorted((kernels / "twice").iterdir()) == before


@pytest.mark.parametrize(
    ("target", "told"),
    [
        ("nope", "no such kernel"),
        ("twice/numpy_nope", "no such implementation"),
        ("nowhere/x.py", "no such file"),
        ("a;b", "no such kernel"),
        ("/nowhere/twice", "no such kernel or file"),
        ("kernels", "no kernel.py in this kernel folder"),
        ("./kernels", "no kernel.py in this kernel folder"),
        ("kernels/twice/twice.c", "is not an implementation"),
        ("kernels/twice/nope.c", "no such kernel or file"),
        ("", "no kernel.py in this kernel folder"),
    ],
)
def test_check_refuses_what_is_not_there(monkeypatch, configfile, kernels, target, told):
    monkeypatch.chdir(kernels.parent)
    (kernels / "twice" / "twice.c").touch()
    message = refusal("check", target, "--configfile", configfile)
    assert told in message
    assert not message.startswith("error: :")


def test_check_knows_a_kernel_by_name_beside_a_folder_of_that_name(monkeypatch, configfile, tmp_path):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "twice").mkdir()
    folder, _ = find_target(CommonOptions(configfile=[configfile]).config, "twice", configfile)
    assert folder.path == tmp_path / "kernels" / "twice"


def test_check_looks_for_no_devices_but_those_of_what_it_checks_and_of_the_baseline(monkeypatch, configfile, kernels):
    def probe(backends):
        raise InputError("probe", f"asked for {sorted(backends)}", "Nothing")

    monkeypatch.setattr(devices, "probe", probe)
    (kernels / "twice" / "python_loop.py").write_text("def run(x, y):\n    y[:] = [2 * e for e in x]\n")
    result = invoke("check", "twice/python_loop", "--configfile", configfile)
    assert result.exit_code == 2
    assert "error: probe: asked for ['numpy', 'python']" in result.stderr


def test_find_target_knows_names_folders_and_files(configfile, kernels):
    settings = CommonOptions(configfile=[configfile]).config
    for target in ("twice", kernels / "twice", kernels / "twice" / "kernel.py"):
        folder, names = find_target(settings, str(target), configfile)
        assert (folder.name, names) == ("twice", ["numpy_multiply"])
    for target in ("twice/numpy_*", kernels / "twice" / "numpy_multiply.py"):
        assert find_target(settings, str(target), configfile)[1] == ["numpy_multiply"]


@pytest.mark.processes
def test_check_says_where_the_rule_is_written(configfile, kernels, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (kernels / "twice" / "numpy_wrong.py").write_text('"""Is."""\ndef run(x, y):\n    y[:] = 3 * x\n')
    result = invoke("check", "twice/numpy_wrong", "--configfile", configfile)
    assert result.exit_code == 1, result.output
    assert result.stderr.startswith("Building and checking numpy_wrong. ")
    path, number = re.search(r"^(.*kernel\.py):(\d+) computes the correct result", result.stderr, re.M).groups()
    assert Path(path).read_text().splitlines()[int(number) - 1].startswith("def reference(")


def test_list_shows_why_a_backend_is_missing(configfile, tmp_path, described):
    eaten = {"available": False, "reason": "eaten by a grue", "versions": {}, "devices": []}
    described = {**described, "backends": {**described["backends"], "numpy": eaten}}
    files.write_json(tmp_path / "results" / "local" / "machine.json", described)
    result = invoke("list", "--configfile", configfile, "--results", tmp_path / "results")
    assert result.exit_code == 0, result.output
    assert result.output.startswith("not here: numpy 1 (eaten by a grue)\n")
    assert "numpy_multiply" in result.output


def test_list_looks_for_itself_without_a_description(configfile, tmp_path):
    result = invoke("list", "--configfile", configfile, "--results", tmp_path / "none")
    assert result.exit_code == 0, result.output
    assert result.output.startswith("here: numpy 1\n")
    assert "yes" in result.output


@pytest.mark.processes
@pytest.mark.parametrize(
    "command",
    [
        ["compare", "results/nope", "results/box"],
        ["compare", "results/box", "results/nope"],
        ["report", "--machine", "nope"],
        ["tables", "--machine", "nope"],
        ["publish", "there", "--machine", "nope"],
        ["export", "results/nope", "--format", "csv"],
        ["bundle", "results/nope"],
    ],
)
def test_a_folder_of_no_results_is_told_from_those_that_are(monkeypatch, tmp_path, command):
    monkeypatch.chdir(tmp_path)
    shutil.copytree(project.ROOT / "reports" / "examples" / "cpu", tmp_path / "results" / "box")
    (tmp_path / "reports" / "nope").mkdir(parents=True)
    message = refusal(*command)
    assert "nope: " in message
    assert "no such folder" in message or "does not contain results of a machine" in message
    assert "Results here: results/box. To measure some: python -m accelbench run" in message
    assert not (tmp_path / "there").exists()


@pytest.mark.processes
@pytest.mark.parametrize("name", ["machine.json", "kernels/*.xz", "timings/*.xz"])
@pytest.mark.parametrize("command", ["bundle", "tables"])
def test_what_is_damaged_in_a_published_folder_comes_from_where_it_was_published(monkeypatch, tmp_path, name, command):
    monkeypatch.chdir(tmp_path)
    published = tmp_path / "results" / "box"
    shutil.copytree(project.ROOT / "reports" / "examples" / "cpu", published)
    path = next(published.glob(name))
    for text in (b"{", lzma.compress(b"{\n")) if path.suffix == ".xz" else (b"{", b"{}"):
        path.write_bytes(text)
        message = refusal(command, *(["--machine", "box"] if command == "tables" else [published]))
        assert str(path.relative_to(tmp_path)) in message
        assert "Copy it again from where it was published" in message


@pytest.mark.parametrize("option", ["--configfile", "--machine", "--results", "--reports"])
def test_a_plan_and_what_it_decides_exclude_each_other(configfile, tmp_path, option):
    plan = tmp_path / "results" / "local" / "plans" / "a.json"
    value = configfile if option == "--configfile" else "elsewhere"
    assert f"--plan: cannot be combined with {option}. Give one of the two" in refusal(
        "report", option, value, "--plan", plan
    )
    assert not (tmp_path / "results").exists()


@pytest.mark.parametrize("name", ["json", "random", "typing", "dataclasses"])
def test_a_file_of_the_working_folder_replaces_no_module(tmp_path, name):
    (tmp_path / f"{name}.py").write_text("raise SystemExit('the file of the working folder was imported')")
    done = subprocess.run(
        [sys.executable, "-m", "accelbench", "--help"],
        cwd=tmp_path,
        env=with_package(os.environ) | {"PYTHONSAFEPATH": ""},
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("text", [None, "{", "[]", '{"config": 1}'])
def test_bad_plan(tmp_path, text):
    plan = tmp_path / "plan.json"
    if text is not None:
        plan.write_text(text)
    log = tmp_path / "measure.log"
    assert str(plan) in refusal("measure", "vector_sum", "--plan", plan, "--log", log)
    assert str(plan) in log.read_text(), "the log does not say why the job did not begin"


def test_missing_configuration_file(tmp_path):
    assert "cannot be read" in refusal("list", "--configfile", tmp_path / "none.yaml")


@pytest.mark.parametrize("name", ["../x", "a/b", "Local", "", "a b"])
def test_machine_names_are_folder_names(tmp_path, name):
    assert "is not a valid name of a machine" in refusal("tables", "--machine", name, "--results", tmp_path)


@pytest.mark.parametrize("cores", ["0", "-1", "two", "1.5", ""])
def test_run_wants_a_number_of_cores(cores):
    assert "is not a number of cores" in refusal("run", f"--cores={cores}")


@pytest.mark.processes
@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--kernl", "vector_sum"], "unrecognized arguments: --kernl"),
        (["-n", "--nonesuch=3"], "unrecognized arguments: --nonesuch=3"),
        (["--jobs"], "--jobs"),
    ],
)
def test_run_refuses_what_neither_it_nor_snakemake_knows(tmp_path, words, told):
    message = refusal("run", "--directory", tmp_path, *words)
    assert told in message
    assert "snakemake --help" in message
    assert not list(tmp_path.iterdir())


@pytest.mark.processes
def test_run_wants_a_place_for_snakemakes_report(tmp_path):
    message = refusal("run", "--directory", tmp_path, "--report", "nowhere/all.zip")
    assert "--report: nowhere/all.zip cannot be written: No such file or directory" in message
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--config", "preset"], "'preset' does not have the form key=value"),
        (["--config", "preset=foo"], "preset"),
        (["--config=nonesuch=1"], "nonesuch"),
        (["-C", "kernels=[vector_sum"], "its value is not YAML"),
        (["--config", "machines={../x: {}}"], "machines"),
    ],
)
def test_settings_of_a_run_are_read_as_those_of_a_file(tmp_path, words, told):
    assert told in refusal("run", "-n", "--directory", tmp_path, "--kernel", "vector_sum", *words)
    assert not list(tmp_path.iterdir())


def test_settings_of_a_run_stand_beside_what_is_chosen():
    words = [
        "all",
        "--config",
        "preset=smoke",
        "machines={other: {}}",
        "-n",
        "--config=dtypes=[float32]",
        "-C",
        "seed=3",
    ]
    kept, told = run._take_settings(words)
    assert kept == ["all", "-n"]
    assert told == {"preset": "smoke", "machines": {"other": {}}, "dtypes": ["float32"], "seed": 3}


def test_settings_of_a_run_override_single_keys_of_a_file():
    file = project.ROOT / "config" / "smoke.yaml"
    given, changed = config.read_data(file), config.read_data(file, settings={"protocol": {"repetitions": 8}})
    assert changed == given | {"protocol": given["protocol"] | {"repetitions": 8}}


@cache
def planned_today():
    """Return (config/today.yaml, its Config, its plan)."""
    file = project.ROOT / "config" / "today.yaml"
    given = config.read(file)
    return file, given, select.plan(given, file)[0]


@pytest.mark.processes
@pytest.mark.parametrize("kernel", config.read(project.ROOT / "config" / "today.yaml").kernels)
def test_each_kernel_of_a_configuration_is_a_part_that_can_be_measured_alone(kernel):
    """The part for one kernel plans the same implementations and dtypes as the whole configuration."""
    file, given, whole = planned_today()
    for sizes in (None, [64]):
        part = given.part(kernels=[kernel], sizes=sizes)
        parts, _ = select.plan(config.parse(config.read_data(file, settings=part), file), file)
        assert [name for name in parts if not is_peak(name)] == [kernel]
        assert parts[kernel].implementations == whole[kernel].implementations
        assert parts[kernel].dtypes == whole[kernel].dtypes
        assert parts[kernel].sizes == (tuple(sizes) if sizes else whole[kernel].sizes)


def test_a_dry_run_says_what_it_does_not_count(tmp_path, monkeypatch):
    """A dry run rejects an unknown kernel, and --again if its pattern matches no case."""
    (tmp_path / "results").mkdir()
    told = invoke("run", "-n", "--directory", tmp_path, "--kernel", "nonesuch")
    assert told.exit_code == 2
    with pytest.raises(InputError, match="matches no case"):
        run._measure_again([tmp_path], {"vector_sum"}, [Again(cases="nope")], looking=True)


def test_a_pipe_is_no_configuration(tmp_path):
    os.mkfifo(tmp_path / "pipe.yaml")
    assert "is not a regular file" in refusal("list", "vector_sum", "--configfile", tmp_path / "pipe.yaml")
    assert "is not a regular file" in refusal("run", "-n", "--configfile", tmp_path / "pipe.yaml")


@pytest.mark.processes
@pytest.mark.parametrize(
    "key", ["kernels_path: [~nobody.at.all/x]", "environments: {jax: {python: ~nobody.at.all/python}}"]
)
def test_the_home_of_nobody_is_no_folder(tmp_path, key):
    (tmp_path / "own.yaml").write_text(key)
    assert "nobody.at.all" in refusal("run", "-n", "--configfile", tmp_path / "own.yaml", "--directory", tmp_path)
    assert "no such" in refusal("check", "~nobody.at.all/x")


def test_kernels_called_like_a_peak_are_refused_whether_they_are_chosen_or_not(kernels, tmp_path):
    assert invoke("new", "peak_read", "--directory", kernels).exit_code == 0
    (tmp_path / "own.yaml").write_text(f"kernels_path: [{kernels}]\nkernels: [twice]\n")
    message = refusal("run", "-n", "--configfile", tmp_path / "own.yaml", "--directory", tmp_path)
    assert "the kernel is also in" in message


def test_errors_of_a_sweep_name_the_file(tmp_path):
    (tmp_path / "own.yaml").write_text("kernels: {vector_sum: {block_sizes: [16x16]}}")
    assert str(tmp_path / "own.yaml") in refusal("list", "vector_sum", "--configfile", tmp_path / "own.yaml")


def test_devices_that_nothing_has_are_found_before_a_first_run(tmp_path, monkeypatch):
    monkeypatch.setattr(run, "probe", lambda: {})
    monkeypatch.setattr(
        run.plan, "check_devices", lambda config, found, where: refused.append(found) or "none is called so"
    )
    refused = []
    (tmp_path / "results").mkdir()
    run._check_computer(tmp_path / "results", config.parse({"devices": ["foo"]}), "own.yaml")
    assert refused == [{}]
    run._check_computer(tmp_path / "results", config.parse({}), "own.yaml")
    assert refused == [{}]


@pytest.mark.parametrize("command", [["build", "twice"], ["measure", "twice"], ["merge", "twice"]])
def test_what_is_refused_leaves_no_folder(configfile, tmp_path, command):
    refusal(*command, "--machine", "other", "--configfile", configfile, "--results", tmp_path / "results")
    assert not (tmp_path / "results").exists()


def test_what_was_never_measured_is_not_merged(configfile, tmp_path):
    (tmp_path / "results" / "local").mkdir(parents=True)
    message = refusal("merge", "twice", "--configfile", configfile, "--results", tmp_path / "results")
    assert "has no repetition of twice" in message


def test_a_folder_to_publish_in_is_named_as_machines_are(tmp_path):
    assert "the machine gets the name of the folder" in refusal("publish", tmp_path / "new" / "My Laptop")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("cost", ["price_per_hour: true", "power_w: '35'"])
def test_what_a_machine_costs_is_a_number(tmp_path, cost):
    (tmp_path / "own.yaml").write_text(f"machines: {{local: {{{cost}}}}}")
    assert cost.partition(":")[0] in refusal("machines", tmp_path, "--configfile", tmp_path / "own.yaml")


def test_commands_to_copy_are_quoted(tmp_path):
    told = invoke("new", "cube", "--directory", tmp_path / "my k")
    assert f"check '{tmp_path}/my k/cube'" in told.stdout


@pytest.mark.processes
@pytest.mark.parametrize(
    "run_", ["PYTHONIOENCODING=ascii {python} -m accelbench run --help", "{python} -m accelbench list vector_sum >&-"]
)
def test_neither_a_poor_locale_nor_a_closed_output_ends_in_a_traceback(run_):
    done = subprocess.run(["sh", "-c", run_.format(python=sys.executable)], capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr


def test_build_knows_its_toolchains(configfile):
    assert "no such toolchain" in refusal("build", "twice", "fortran", "--configfile", configfile)


def test_build_wants_the_machine_described_first(configfile, tmp_path):
    message = refusal("build", "twice", "--configfile", configfile, "--results", tmp_path / "results")
    assert "machine.json" in message


def test_refusals_stand_in_the_log_too(configfile, tmp_path):
    log = tmp_path / "logs" / "build.log"
    arguments = ("build", "nope", "--configfile", configfile, "--log", log)
    assert "no such kernel" in refusal(*arguments)
    assert "no such kernel" in log.read_text()


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EACCES, errno.EROFS, errno.EDQUOT])
def test_what_the_system_refuses_is_said_without_a_traceback(monkeypatch, tmp_path, number):
    from accelbench.store import load

    def load_results(results):
        raise OSError(number, os.strerror(number), str(results))

    monkeypatch.setattr(load, "load_results", load_results)
    message = refusal("tables", "--results", tmp_path)
    assert os.strerror(number) in message
    assert str(tmp_path) in message


def test_a_bug_is_not_dressed_up_as_bad_input(monkeypatch, tmp_path):
    from accelbench.store import load

    monkeypatch.setattr(load, "load_results", lambda results: 1 / 0)
    result = invoke("tables", "--results", tmp_path)
    assert isinstance(result.exception, ZeroDivisionError)


def test_kernel_folders_are_found_from_the_workflow_not_from_here(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    chosen = config.parse({"kernels_path": ["kernels", "/elsewhere"], "peaks": False})
    assert select.kernel_folders(chosen) == (str(project.ROOT / "kernels"), "/elsewhere")


def test_limits_are_measured_with_everything_whatever_is_chosen(kernels):
    chosen = config.parse({"implementations": ["numpy_*"]})
    limit = select.effective(chosen, "peak_read")
    assert limit.implementations == limit.kernel.implementations
    own = catalog.load(kernels / "twice")
    assert EffectiveConfig.of(chosen, own).implementations.keys() == {own.spec.baseline}


def test_limits_are_measured_for_one_thread_too(kernels):
    """If only NumPy's peak were measured with one thread, all faster cases with one thread would be implausible."""
    chosen = config.parse({"threads": ["all"]})
    assert select.effective(chosen, "peak_triad").config.threads == (1, "all")
    assert EffectiveConfig.of(chosen, catalog.load(kernels / "twice")).config.threads == ("all",)


@pytest.mark.parametrize(("chosen", "measured"), [(["fill", "copy"], True), (["copy", "memory_pool"], False)])
def test_writing_is_a_limit_only_of_what_reads_nothing(chosen, measured):
    planned, _ = select.plan(config.parse({"kernels": chosen}), "here")
    assert ("peak_write" in planned) == measured
    assert {"peak_read", "peak_copy", "peak_triad", "peak_matmul"} < planned.keys()


def test_all_kernels_can_be_planned_together():
    assert {"conjugate_gradient", "fill", "peak_write"} < select.plan(config.parse({}), "here")[0].keys()


def test_what_was_not_measured_yet_is_said_with_the_command_that_does(tmp_path):
    message = refusal("profile", "inside_polygon", "python_tuples", "--results", tmp_path / "none")
    assert "machine.json: cannot be read: No such file" in message
    assert "python -m accelbench run, or make report" in message


@pytest.mark.parametrize(
    ("words", "asked", "handed_on"),
    [
        (["--again", "*", "-n"], (("*",), False), ["-n"]),
        (["--again", "spmv/*", "--retry"], (("spmv/*",), True), []),
        (["--again", "spmv/*", "--again", "call"], (("spmv/*", "call"), False), []),
        (["-n"], ((), False), ["-n"]),
    ],
)
def test_what_is_measured_again_is_asked_for_by_options(monkeypatch, words, asked, handed_on):
    given = []
    monkeypatch.setattr("accelbench.cli.run.run", lambda *_, **options: given.append(options) or 0)
    assert invoke("run", *words).exit_code == 0
    again, retry = asked
    agains = [Again(cases=pattern) for pattern in again] + [Again(cases="*", failures=True)] * retry
    assert (given[0]["again"], given[0]["extra"]) == (agains, handed_on)
