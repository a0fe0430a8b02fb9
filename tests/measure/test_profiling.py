"""Profiles: what the stage writes, that it is nobody's private path, and what the report makes of it."""

import re
import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml
from typer.testing import CliRunner

from accelbench import config, project
from accelbench.cli import commands
from accelbench.config import select
from accelbench.config.select import EffectiveConfig
from accelbench.errors import InputError
from accelbench.kernels import catalog
from accelbench.measure import profiling
from accelbench.measure.client import Failed
from accelbench.measure.footprint import Footprint
from accelbench.measure.verifier import Verifier
from accelbench.model.profile import Profile
from accelbench.pages import page as pages
from accelbench.report import page
from accelbench.store import files, formats

FOLDER = catalog.load(project.ROOT / "kernels" / "inside_polygon")
SIZE = 12
PLAIN, COMPILED = "python_tuples", "cython_class_loop"
CONFIG = EffectiveConfig.of(config.Config(), FOLDER)


@pytest.fixture(scope="module")
def results(tmp_path_factory, described):
    home = tmp_path_factory.mktemp("results") / "local"
    files.write_json(home / "machine.json", described)
    before = sorted(FOLDER.path.rglob("*"))
    profiling.profile(CONFIG, "local", home, names=(PLAIN, COMPILED), size=SIZE)
    assert sorted(FOLDER.path.rglob("*")) == before
    assert sorted(path.name for path in home.iterdir()) == ["machine.json", "profile"], "nothing else is left"
    return home


def read(results, name):
    return formats.read(Profile, path_of(results, name), "")


def path_of(results, name):
    return results / "profile" / "inside_polygon" / f"{name}.json"


def line_of(name, code):
    lines = FOLDER.implementations[name].path.read_text(encoding="utf-8").splitlines()
    return next(number for number, line in enumerate(lines, 1) if line.lstrip().startswith(code))


@pytest.mark.parametrize("name", [PLAIN, COMPILED])
def test_every_call_is_counted_and_every_line_is_the_kernels_own(results, name):
    profile = read(results, name)
    assert (profile.kernel, profile.size, profile.options["vertices"]) == ("inside_polygon", SIZE, 24)
    rows = {row.function: row for row in profile.rows}
    file = f"inside_polygon/{FOLDER.implementations[name].path.name}"
    assert rows["inside"].calls == SIZE**2
    assert rows["run"].calls == 1
    for function in ("inside", "run"):
        assert (rows[function].file, rows[function].line) == (file, line_of(name, f"def {function}("))


@pytest.mark.parametrize("name", [PLAIN, COMPILED])
def test_times_add_up(results, name):
    profile = read(results, name)
    rows = profile.rows
    assert rows[0].function == "run"
    assert sum(row.total_s for row in rows) == pytest.approx(rows[0].cumulative_s, rel=1e-3)
    assert rows[0].cumulative_s <= profile.wall_s
    assert profile.plain_s > 0
    (file,) = profile.files
    assert file.text == (project.ROOT / "kernels" / "inside_polygon" / file.name).read_text(encoding="utf-8")
    assert [row.cumulative_s for row in rows] == sorted((row.cumulative_s for row in rows), reverse=True)


def test_what_calls_the_implementation_is_no_part_of_its_profile(results):
    functions = {row.function for row in read(results, PLAIN).rows}
    built_in = {f"<built-in method builtins.{name}>" for name in ("len", "min", "max")}
    assert functions <= {"run", "inside", "<listcomp>"} | built_in


@pytest.mark.parametrize("name", [PLAIN, COMPILED])
def test_the_table_is_the_one_pstats_prints(results, name):
    text = (results / "profile" / "inside_polygon" / f"{name}.txt").read_text(encoding="utf-8")
    assert re.search(r"ncalls +tottime +percall +cumtime", text)
    assert re.search(rf"^ +{SIZE**2} .*inside_polygon/{name}\.pyx?:\d+\(inside\)$", text, re.M)


def test_the_flame_graph_is_a_page_that_stands_alone(results):
    text = (results / "profile" / "inside_polygon" / f"{PLAIN}.html").read_text(encoding="utf-8")
    assert text.lstrip().lower().startswith("<!doctype html>")
    assert not re.search(r"<script[^>]+src=", text)


def test_no_path_of_this_computer_is_told(results):
    for path in (results / "profile" / "inside_polygon").iterdir():
        text = path.read_text(encoding="utf-8")
        for private in (str(project.ROOT), str(results), str(Path.home())):
            assert f"{private}/" not in text, path
            assert f'"{private}' not in text, path


@pytest.mark.parametrize(("name", "told"), [("python_nothing", "no such"), ("cffi_api", "is not run by Python")])
def test_what_cannot_be_profiled_is_refused(results, name, told):
    with pytest.raises(InputError, match=told):
        profiling.profile(CONFIG, "local", results, names=(name,), size=SIZE)


def test_a_size_beyond_the_memory_is_refused_before_anything_is_built(results, monkeypatch):
    size = 10**13
    monkeypatch.setattr(profiling, "_copy", lambda *arguments: pytest.fail("the kernel was copied to be built"))
    with pytest.raises(InputError, match=rf"saxpy/cython_typed: at size {size}, it needs about .* --size"):
        profiling.profile(
            select.effective(config.Config(), "saxpy"), "local", results, names=("cython_typed",), size=size
        )


def test_a_problem_that_did_not_fit_after_all_is_refused(results, monkeypatch):
    def given(self, *arguments, **settings):
        raise Failed("out_of_memory", "the inputs and the reference do not fit into memory", alive=True)

    monkeypatch.setattr(Footprint, "too_large", lambda self, case: None)
    monkeypatch.setattr(Verifier, "given", given)
    with pytest.raises(InputError, match=rf"inside_polygon/{PLAIN}: .* do not fit into memory\. .* --size"):
        profiling.profile(CONFIG, "local", results, names=(PLAIN,), size=SIZE)


def test_a_failure_names_the_implementation_and_what_to_run(results, tmp_path):
    place = tmp_path / "kernels" / "twice"
    place.mkdir(parents=True)
    (place / "kernel.py").write_text(TWICE)
    (place / "python_wrong.py").write_text('"""Wrong."""\n\n\ndef run(x, y):\n    y[:] = 3 * x\n')
    own = config.parse({"kernels_path": [str(place.parent)], "peaks": False})
    with pytest.raises(InputError, match=r"twice/python_wrong.*wrong_result.*check twice/python_wrong"):
        profiling.profile(select.effective(own, "twice"), "local", results)
    assert not (results / "profile" / "twice").exists()


TWICE = """
from accelbench.kernel import Kernel, Output

KERNEL = Kernel(title="Twice", size="elements", sizes=dict(smoke=(9,), default=(9,), lecture=(9,)),
                dtypes=("float64",), baseline="python_wrong")
def inputs(size, dtype, rng): return {"x": rng.random(size)}
def outputs(size, dtype): return (Output("y", (size,), dtype),)
def reference(x): return 2 * x
def tolerance(): return 0
def bytes_moved(size, itemsize): return size * itemsize, size * itemsize
def flops(size): return size
"""


def test_pages_are_gathered_and_old_ones_go(tmp_path):
    build = tmp_path / "build" / "twice"
    built = {"outcome": "ok", "path": "x.so", "log": "", "command": "", "seconds": 1.0, "compiler": "", "recipe": ""}
    shown = {**built, "implementation": "cython_typed", "source": "x.pyx", "device": None, "page": "a.html"}
    failed = {**shown, "implementation": "cython_openmp", "outcome": "build_failed", "page": None}
    manifest = {"schema_version": 2, "kernel": "twice", "toolchain": "cython", "artifacts": [shown, failed]}
    files.write_json(build / "cython.json", manifest)
    files.write(build / "a.html", "which lines call Python")
    old = tmp_path / "annotations" / "gone.html"
    files.write(old, "")
    (found,) = profiling.gather_annotations(tmp_path)
    assert found.name == "twice-cython_typed.html"
    assert found.read_text() == "which lines call Python"
    assert not old.exists()


def test_the_report_shows_the_slowest_first_with_its_files(results, tmp_path):
    results = shutil.copytree(results, tmp_path / "results")
    for name, seconds in ((PLAIN, 2.0), (COMPILED, 1.0)):  # which of the two is slower so small, depends on the day
        formats.write(path_of(results, name), read(results, name).model_copy(update={"plain_s": seconds}))
    profiles = page.copy_profiles(results, tmp_path)
    assert [profile.implementation for profile, _ in profiles] == [PLAIN, COMPILED]
    for _, links in profiles:
        assert all((tmp_path / link).is_file() for _, link in links)
        assert len(links) == 2
    template = pages.environment("accelbench.report").from_string(
        '{% import "macros.html.jinja" as m %}{% include "profiles.html.jinja" %}'
    )
    annotated = {("inside_polygon", COMPILED, 0): "build/inside_polygon/cython/cython_class_loop.html"}
    kernel = SimpleNamespace(profiles=profiles, annotations=annotated)
    shown = template.render(kernel=kernel, shown_functions=2)
    assert shown.index(PLAIN) < shown.index(COMPILED)
    assert 'href="../build/inside_polygon/cython/cython_class_loop.html"' in shown
    assert shown.count("<tbody>") == 2


def test_no_profiles_are_no_section(tmp_path):
    assert page.copy_profiles(tmp_path, tmp_path / "report") == []


def test_the_rule_names_implementations_that_exist():
    text = (project.ROOT / "workflow" / "rules" / "profile.smk").read_text()
    kernel = yaml.safe_load(re.search(r"^PROFILED = (.*)$", text, re.M)[1])
    names = yaml.safe_load(re.search(r"^PROFILED_IMPLEMENTATIONS = (\[.*?\])", text, re.M | re.S)[1])
    folder = select.load(config.read(project.DEFAULT_CONFIG), kernel)
    assert all(folder.implementations[name].backend in profiling.BACKENDS for name in names)


def test_the_command_wants_a_machine_described(tmp_path):
    done = CliRunner().invoke(commands.app, ["profile", "inside_polygon", "--results", str(tmp_path)])
    assert done.exit_code == 2
    assert "machine.json" in done.stderr
