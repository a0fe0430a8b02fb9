"""Tests that the command printed beside a case finds this case, whatever configuration measured it."""

import shlex

import pytest
from command_line import invoke
from examples import EXAMPLES, MACHINES
from read_results import read

from accelbench import config, measure, project
from accelbench.analysis import frames
from accelbench.cli import run
from accelbench.config import repeat
from accelbench.measure import rerun
from accelbench.model.metadata import KernelMetadata
from accelbench.model.names import PROTOCOL_VERSION
from accelbench.report import commands

HERE = ("numpy", "cffi", "cython", "numba", "python")  # backends in accelbench's own Python


def ask(command):
    program, words = shlex.split(command)[:3], shlex.split(command)[3:]
    assert program == ["python", "-m", "accelbench"]
    return invoke(*words)


@pytest.fixture
def found(monkeypatch, devices_looked_for_once):
    """Return a list. Instead of running cases, the command `case` adds their names to this list."""
    names = []

    def find(name, given, **_):
        names.append(rerun.find(name, given)[1].id)
        return True

    monkeypatch.setattr(measure, "case", find)
    monkeypatch.chdir(project.ROOT)
    return names


@pytest.mark.parametrize(
    "machine",
    [pytest.param(name, marks=pytest.mark.processes if name == "cpu" else pytest.mark.slow) for name in MACHINES],
)
def test_a_case_of_a_published_machine_is_found(machine, found):
    """The last case of each kernel and backend usually has other options and threads than the first one."""
    analysis = read(EXAMPLES / machine)
    rows = [row for row in frames.rows(analysis, "timings") if row.backend in HERE and row.device == "cpu"]
    cases = {(row.kernel, row.backend): row.case for row in rows if row.outcome == "ok"}
    for case in cases.values():
        result = ask(commands.case(analysis, case))
        assert result.exit_code == 0, (case, result.exception)
    assert found == [*cases.values()]
    assert len(found) > 5


def test_a_case_of_lectures_alone_is_found(found):
    case = "inside_polygon/numpy_scanline/int32/1024/vertices=6/width=1/cpu/threads=1"
    assert ask(f"python -m accelbench case '{case}'").exit_code == 0
    assert found == [case]


@pytest.mark.processes
@pytest.mark.parametrize(
    ("machine", "kernel", "file"),
    [("cpu", "vector_sum", None), ("cpu-today", "softmax", "config/today.yaml"), ("h200x2", "vector_sum", None)],
)
def test_a_kernel_is_measured_with_the_configuration_that_it_was_measured_with(machine, kernel, file, monkeypatch):
    asked = []
    monkeypatch.setattr(run, "run", lambda files, cores, **words: asked.append((files, words["chosen"])) or 0)
    result = ask(commands.run(read(EXAMPLES / machine), kernel, "--size 3000"))
    assert result.exit_code == 0, result.output
    ((configfiles, chosen),) = asked
    assert [*map(str, configfiles)] == ([file] if file else [])
    assert ([*chosen["kernels"]], chosen["sizes"]) == ([kernel], [3000])


def swept(command, configfiles, **settings):
    """Return the metadata of a kernel that `command` measured once, with `settings` from `configfiles`."""
    written = config.parse(settings).model_dump(mode="json", exclude={"protocol": {"repetitions"}})
    measuring = {"started": "2026-01-01T00:00:00", "wall_s": 1, "in_samples_s": 1, "cases": 1, "commit": None}
    measuring |= {"protocol_version": PROTOCOL_VERSION}
    about = {"title": "", "backend": "numpy", "variant": None, "threads": False, "parameters": [], "toolchain": None}
    about |= {"flags": [], "source_lines": 1, "files": [], "build": []}
    return KernelMetadata.model_validate(
        {
            "kernel": "vector_sum", "title": "", "description": "", "size": "", "baseline": "numpy_sum",
            "lectures": [], "options": {}, "dtypes": ["float64"], "block_dimensions": 1, "location": "device",
            "implementations": {"numpy_sum": about},
            "runs": [measuring | {"dirty": None, "command": command, "config": written, "configfiles": configfiles}],
        }
    )  # fmt: skip


MEASURE = "python -m accelbench measure vector_sum --plan plan.json"
TODAY = config.read_data(project.ROOT / "config" / "today.yaml")


@pytest.mark.parametrize(
    ("command", "configfiles", "settings", "option"),
    [
        (MEASURE, ["config/config.yaml"], {}, ""),
        (MEASURE, ["config/smoke.yaml"], {}, "--configfile config/smoke.yaml"),
        (MEASURE, ["my own.yaml"], TODAY, "--configfile 'my own.yaml'"),
        (MEASURE, ["a.yaml", "b.yaml"], {}, "--configfile a.yaml --configfile b.yaml"),
        (MEASURE, [], {}, ""),
        (MEASURE, None, {}, ""),
        (MEASURE, None, TODAY, "--configfile config/today.yaml"),
        ("python -m accelbench lecture measure esrf-mask --plan plan.json", ["own.yaml"], {}, ""),
    ],
)
def test_the_configuration_is_that_of_the_files_else_of_what_ships_with_environments(
    command, configfiles, settings, option
):
    assert repeat.option(swept(command, configfiles, **settings)) == option


def test_of_several_files_a_later_one_overrides_keys_and_theirs(monkeypatch, tmp_path):
    asked = []
    monkeypatch.setattr(run, "run", lambda files, cores, **words: asked.append(files) or 0)
    first, second = tmp_path / "first.yaml", tmp_path / "second.yaml"
    first.write_text("protocol: {repetitions: 3, budget_s: 0.5}\n")
    second.write_text("protocol: {repetitions: 4}\n")
    given = f"--configfile {first} --configfile {second}"
    assert ask(f"python -m accelbench run {given}").exit_code == 0
    assert asked == [[first, second]]
    protocol = config.read(first, second).protocol
    assert (protocol.repetitions.max, protocol.budget_s) == (4, 0.5)
