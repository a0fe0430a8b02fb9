"""Tests of profiles: their content, and that no private path is in them."""

import re
from pathlib import Path

import pytest
from command_line import invoke

from accelbench import config, project
from accelbench.config import select
from accelbench.config.select import EffectiveConfig
from accelbench.errors import InputError
from accelbench.kernels import catalog
from accelbench.measure import profiling
from accelbench.model.profile import Profile
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
    assert (profile.kernel, profile.size) == ("inside_polygon", SIZE)
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


def test_no_path_of_this_computer_is_told(results):
    for path in (results / "profile" / "inside_polygon").iterdir():
        text = path.read_text(encoding="utf-8")
        for private in (str(project.ROOT), str(results), str(Path.home())):
            assert f"{private}/" not in text, path
            assert f'"{private}' not in text, path


@pytest.mark.parametrize(
    ("name", "told"), [("python_nothing", "is not an implementation of"), ("cffi_api", "is not an implementation of")]
)
def test_what_cannot_be_profiled_is_refused(results, name, told):
    with pytest.raises(InputError, match=told):
        profiling.profile(CONFIG, "local", results, names=(name,), size=SIZE)


def test_a_size_beyond_the_memory_is_refused(results):
    size = 10**13
    with pytest.raises(InputError, match=r"saxpy/cython_typed: .* do not fit into memory\. .* --size"):
        profiling.profile(
            select.effective(config.Config(), "saxpy"), "local", results, names=("cython_typed",), size=size
        )


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


def test_the_command_prints_the_functions_that_take_most(results):
    arguments = ["profile", "inside_polygon", PLAIN, "--size", str(SIZE), "--results", str(results.parent)]
    done = invoke(*arguments)
    assert done.exit_code == 0, done.output
    assert re.search(rf"^ +{SIZE**2} .* inside \(inside_polygon/{PLAIN}\.py:\d+\)$", done.output, re.M)


def test_the_command_wants_a_machine_described(tmp_path):
    done = invoke("profile", "inside_polygon", "--results", tmp_path)
    assert done.exit_code == 2
    assert "machine.json" in done.stderr
