"""Tests of figures of profiles."""

import re

import pytest
from lecture_figures import entry, put, shown

from accelbench import project
from accelbench.lectures import entries
from accelbench.lectures.own import esrf
from accelbench.store import files

PROFILE = {"id": "esrf-profile", "kind": None, "measure": [], "over": None}


def profiled(home, implementation, wall_s, functions):
    """Write a profile of inside_polygon; functions: {name: (calls, seconds in itself, cumulative seconds)}."""
    rows = [
        {"function": f, "file": f"inside_polygon/{implementation}.py", "line": 1, "calls": c, "total_s": own,
         "cumulative_s": s} for f, (c, own, s) in functions.items()
    ]  # fmt: skip
    told = {
        "schema_version": 2, "kernel": "inside_polygon", "implementation": implementation, "size": 10,
        "backend": implementation.split("_")[0], "wall_s": wall_s, "plain_s": wall_s / 2, "rows": rows,
        "files": [{"name": f"{implementation}.py", "text": f"of {implementation}"}],
    }  # fmt: skip
    files.write_json(home / "profile" / "inside_polygon" / f"{implementation}.json", told)


def test_profiles_stand_slowest_first_with_the_function_that_costs_most(home):
    names = ("python_sum", "python_loop")
    own = entry(**PROFILE, rows=[{"label": name, "implementation": name} for name in names])
    put(home, own, [])
    assert "nothing was profiled yet" in shown(home, own).summary
    for name, wall_s, calls in (("python_sum", 2.0, 1), ("python_loop", 8.0, 12), ("numpy_sum", 9.0, 1)):
        profiled(home, name, wall_s, {"outer": (1, 0.0, wall_s), "inner": (calls, wall_s / 4, wall_s)})
    view = shown(home, own)
    assert [sentence.replace("\N{NO-BREAK SPACE}", " ") for sentence in view.sentences] == [
        "python_loop at size 10 takes 4.00 s, and under the profiler 8.00 s. Of the latter time, 25% is in the "
        "function inner, which is called 12 times.",
        "python_sum at size 10 takes 1.00 s, and under the profiler 2.00 s. Of the latter time, 25% is in the "
        "function inner, which is called once.",
    ]
    labels = [text.get_text() for text in view.chart.draw().axes[0].get_yticklabels()]
    assert labels == [f"{name}: {function}" for name in reversed(names) for function in ("inner", "outer")]


def test_profiles_recorded_are_compared_by_the_call_and_by_shares(home):
    """The profile measured here has ten calls, the recorded one 1024 x 1024.

    A compiled function that the profiler does not see has no number.
    """
    pixels = esrf.RECORDED_CALLS
    rows = [
        {"label": "Python", "implementation": "python_loop", "time": "call", "recorded_s": 8e-3 * pixels},
        {"label": "Cython", "implementation": "cython_typed", "recorded_s": 2e-3 * pixels},
        {"label": "In the function", "implementation": "cython_typed", "recorded_s": 1.5e-3 * pixels, "over": "Cython"},
        {"label": "In ascontiguousarray", "implementation": "cython_typed", "recorded_s": 0.5e-3 * pixels,
         "over": "Cython"},
    ]  # fmt: skip
    claim = {"says": "compiling pays", "faster": "Cython", "than": "Python", "least": 3, "most": 5}
    code = [{"kernel": "inside_polygon", "implementation": "cython_typed"}]
    own = entry(**PROFILE, rows=rows, claims=[claim], code=code)
    put(home, own, [])
    profiled(home, "python_loop", 0.04, {"run": (1, 0.02, 0.04), "inside": (10, 0.015, 0.03)})
    profiled(home, "cython_typed", 0.01, {"run": (1, 0.005, 0.01), "inside": (10, 0.002, 0.004)})
    view = shown(home, own)
    cells = {row[0]: [cell.replace("\N{NO-BREAK SPACE}", " ") for cell in row[3:]] for row in view.table.rows}
    assert cells == {
        "Python": ["8.00 ms", "2.00 ms", "4.00×", "–", "–", "–"],
        "Cython": ["2.00 ms", "1.00 ms", "2.00×", "–", "–", "–"],
        "In the function": ["1.50 ms", "400 µs", "3.75×", "75%", "40%", "Cython"],
        "In ascontiguousarray": ["500 µs", "not seen by the profiler", "–", "25%", "–", "Cython"],
    }
    assert view.missing == []
    assert [file.text for source in view.sources for file in source.files] == ["of cython_typed"]
    told = " ".join(view.sentences).replace("\N{NARROW NO-BREAK SPACE}", "")
    assert "1048576 calls were recorded, and 10 were made here, at size 10." in told
    assert "Then a call took 2.00× to 4.00× as long as it takes here." in told
    assert "In the function, of Cython: 75% then, 40% here." in told
    assert "“compiling pays” is undecided here: Cython is 2.00× as fast as Python" in told
    (home / "profile" / "inside_polygon" / "python_loop.json").unlink()
    view = shown(home, own)
    assert view.missing == ["Python: not profiled"]
    assert "“compiling pays” cannot be judged here: Python: not profiled." in view.sentences


def test_profile_numbers_recorded_are_those_of_the_slides():
    """On the slides, the Cython function `inside` takes 3.17 s of 3.61 s, including 1.24 s in ascontiguousarray.

    A call computes one of 1024 x 1024 pixels.
    """
    rows = {row.label: row for row in entries.find("esrf-profile").rows}
    assert esrf.RECORDED_CALLS == 1024 * 1024
    assert esrf.RECORDED_CALLS_OF == {"In ascontiguousarray": 1024 * 1024 + 1}
    assert esrf.FUNCTIONS.keys() <= rows.keys()
    assert rows["Python with tuples"].recorded_s == 36
    assert rows["Python with numpy"].recorded_s == 450
    whole = rows["Cython with numpy"].recorded_s
    assert rows["In the function"].recorded_s / whole == pytest.approx(3.170 / 3.613, rel=1e-3)
    assert rows["In ascontiguousarray"].recorded_s / whole == pytest.approx(1.240 / 3.613, rel=1e-3)


def test_profiled_rows_are_what_make_profile_profiles():
    text = (project.ROOT / "workflow" / "rules" / "profile.smk").read_text()
    names = re.search(r'^PROFILED = "([^"]+)"', text, re.M)[1].split()
    assert {row.implementation for row in entries.find("esrf-profile").rows} == {*names}
