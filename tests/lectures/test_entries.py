"""Tests of the declarations in figures.yaml, and of the messages on mistakes in declarations."""

import shutil
import subprocess
import sys

import pytest
from lecture_figures import CLAIM, PART, ROWS, entry, put, record, refused
from pydantic import BaseModel

from accelbench import project
from accelbench.errors import InputError
from accelbench.lectures import entries, needs, page
from accelbench.store import files

PRINTED = {"figures": [{"id": "a", "lecture": "own", "slide": "s", "title": "t", "kind": "table"}]}
ADDED = """
from dataclasses import replace

from accelbench.lectures.views import nothing


def count(entry, results):
    text = f"There is {len(results.cases)} case."
    return replace(nothing(text), complete=True, sentences=[text])
"""
DRAW_ADDED = """
from accelbench.lectures import entries, page

found = list(entries.parse({figures}).values())
page.write_figure(found[0], {home!r}, {home!r} + "/out")
page.write_page({home!r}, {home!r} + "/out", found)
"""


def test_figures_of_the_lectures_are_all_declared():
    found = entries.read()
    assert list(found) == [
        "icsc23-pi-timeit", "icsc23-pi", "icsc23-sum", "icsc23-event", "icsc23-arrays", "icsc23-multiply",
        "icsc23-peer", "icsc23-similarity", "esrf-mask", "esrf-profile", "esrf-annotate", "esrf-speedups",
        "esrf-speedups-gpu",
        "esrf-workgroups", "cupy101-ones", "cupy101-transfer", "cupy101-linalg", "cupy101-sum", "cupy101-pool",
        "cupy101-exercise1", "cupy101-exercise2", "firenze-saxpy", "gtc2010-launch", "gtc2010-fusion",
        "gtc2010-templates", "gtc2010-dg",
        "today-call", "today-launch", "today-stream", "today-polygon", "today-saxpy", "today-versions",
    ]  # fmt: skip
    assert {figure.lecture for figure in found.values()} <= page.LECTURES.keys()


def test_recorded_numbers_agree_with_the_recorded_ratios():
    rows = {row.label: row for row in entries.find("esrf-speedups").rows}
    first = rows["Python with tuples"].recorded_s
    for row in rows.values():
        if row.recorded_ratio:
            assert first / row.recorded_s == pytest.approx(row.recorded_ratio, rel=0.02)


def test_pure_python_alone_may_take_as_long_as_the_lectures_size_asks():
    parts = entries.find("esrf-speedups").measure
    long = [part for part in parts if part.max_call_s]
    assert {"python_tuples", "python_numpy_scalars"} <= {name for part in long for name in part.implementations}
    assert all(name.startswith(("python_", "cython_")) for part in long for name in part.implementations)
    assert {part.sizes for part in parts} == {(1024,)}


def test_transfers_of_the_notebook_are_its_own_three_calls():
    figure = entries.find("cupy101-transfer")
    assert {row.label: (row.implementation, row.recorded_s) for row in figure.rows} == {
        "asarray": ("cupy_asarray", 28.7e-6), "asnumpy": ("cupy_asnumpy", 18.5e-6), "get": ("cupy_get", 17.5e-6)
    }  # fmt: skip
    assert not any(row.unlike for row in figure.rows)
    for row in figure.rows:
        source = (project.ROOT / "kernels" / "transfer" / f"{row.implementation}.py").read_text()
        called = {"asarray": "cp.asarray(x)", "asnumpy": "cp.asnumpy(x)", "get": "x.get()"}[row.label]
        assert f"return {called}" in source


def test_figures_show_our_source():
    """All figures show source code of this project, except a picture and the figure of memory pools."""
    without = {name for name, figure in entries.read().items() if not figure.code}
    assert without <= {"esrf-mask", "cupy101-pool"}


@pytest.mark.processes
def test_names_in_the_figures_are_there():
    needs.check(entries.read().values(), needs.read_configuration())


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"kind": "pie"}, "figure 'a': kind: must be 'blocks', 'code'"),
        ({"kind": None}, "figure 'a': kind: is missing. One of blocks, code"),
        ({"colour": "red"}, "figure 'a': unknown key 'colour'. Keys here: claims, code"),
        ({"id": "My Figure"}, "figure 'My Figure': id: 'My Figure' is not a valid id"),
        ({}, "figure 'a': measure: is missing, but a figure of kind table needs it"),
        ({"measure": [PART]}, "figure 'a': rows: is missing, but a figure of kind table needs it"),
        ({"measure": [PART | {"size": 3}]}, "figure 'a': unknown key 'measure[0].size'"),
        ({"measure": [PART], "rows": ROWS, "over": "Fortran"}, "over: there is no row 'Fortran'"),
        ({"measure": [PART], "rows": ROWS * 2}, "2 rows have the label"),
        (
            {"measure": [PART], "rows": [ROWS[0] | {"kernel": "saxpy"}]},
            "the figure does not measure the kernel 'saxpy'",
        ),
        ({"measure": [PART], "rows": [ROWS[0] | {"recorded_s": -1}]}, "rows[0].recorded_s: must be greater than "),
        ({"measure": [PART], "rows": ROWS, "claims": [{"says": "x", "faster": "Y", "than": "C"}]}, "no row 'Y'"),
        ({"measure": [PART], "rows": ROWS, "claims": [{**CLAIM, "least": 3, "most": 2}]}, "2 is less than least, 3"),
        ({"measure": [PART], "kind": "code"}, "code: a figure of kind code needs exactly two sources"),
    ],
)
def test_mistake_is_told_with_file_entry_key_and_remedy(change, told):
    message = refused({"figures": [PRINTED["figures"][0] | change]})
    assert message.startswith("mine.yaml: ")
    assert told in message
    assert "config/README.md explains" in message


def test_id_twice_and_unknown_figure():
    whole = PRINTED["figures"][0] | {"measure": [PART], "rows": ROWS}
    assert "2 figures have the id 'a'" in refused({"figures": [whole, whole]})
    with pytest.raises(InputError, match=r"there is no figure 'nosuch'\. Figures: icsc23-pi-timeit, "):
        entries.find("nosuch")


def test_readme_names_every_key_of_a_figure():
    text = (project.ROOT / "config" / "README.md").read_text()
    text = text[text.index("## The lectures' figures") :]
    models = [m for m in vars(entries).values() if isinstance(m, type) and issubclass(m, BaseModel)]
    local = [model for model in models if model.__module__ == entries.__name__]
    for key in {name for model in local for name in model.model_fields} - {"figures"}:
        assert f"`{key}`" in text or f"`{key}:" in text, key


@pytest.mark.slow
@pytest.mark.parametrize(("module", "kind"), [("kinds/counting.py", {"kind": "count"}), ("own/own.py", {})])
def test_kind_or_figure_that_is_added_is_one_file(home, tmp_path, module, kind):
    """A new kind of figure, or a figure with its own code, needs one file.

    The test adds such a file to a copy of the package. The figure is declared, drawn and shown on the page.
    """
    package = shutil.copytree(project.ROOT / "workflow" / "accelbench", tmp_path / "accelbench")
    (package / "lectures" / module).write_text(ADDED)
    own = {"id": "own-count", "lecture": "own", "slide": "s", "title": "t", "measure": [PART], **kind}
    put(home, entry(id="own-count"), [record("numpy_sum", 8e-3)])
    files.write(tmp_path / "draw.py", DRAW_ADDED.format(figures={"figures": [own]}, home=str(home)))
    done = subprocess.run([sys.executable, tmp_path / "draw.py"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    page_of_all, page_of_it = ((home / "out" / f"{name}.html").read_text() for name in ("lectures", "lectures/own"))
    assert "<li>There is 1 case.</li>" in page_of_it
    assert "1 of 1 figures is complete" in page_of_all
