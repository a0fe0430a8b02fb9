"""Figures of profiles."""

import pytest
from lecture_figures import entry, put, shown

from accelbench.lectures import entries, kinds, measured
from accelbench.store import files


def test_profiles_stand_slowest_first_with_the_function_that_costs_most(home):
    own = entry(kind="profile", lines=["vector_sum/python_*"], measure=[], rows=[], over=None)
    put(home, own, [])
    assert "nothing was profiled yet" in shown(home, own).summary
    for name, wall_s, calls in (("python_sum", 2.0, 1), ("python_loop", 8.0, 12), ("numpy_sum", 9.0, 1)):
        spent = {"file": "x.py", "line": 1, "calls": calls, "total_s": wall_s / 4, "cumulative_s": wall_s}
        rows = [{**spent, "function": "outer", "total_s": 0.0}, {**spent, "function": "inner"}]
        of = {"kernel": "vector_sum", "implementation": name, "backend": name.split("_")[0], "title": "", "size": 10}
        times = {"wall_s": wall_s, "plain_s": wall_s / 2, "rows": rows}
        told = {"schema_version": 2, **of, "dtype": "float64", **times}
        files.write_json(home / "profile" / "vector_sum" / f"{name}.json", told)
    assert [sentence.replace("\N{NO-BREAK SPACE}", " ") for sentence in shown(home, own).sentences] == [
        "python_loop at size 10: 4.00 s, under the profiler 8.00 s, 25% of it in inner, which is called 12 times.",
        "python_sum at size 10: 1.00 s, under the profiler 2.00 s, 25% of it in inner, which is called once.",
    ]


def profiled(home, implementation, wall_s, functions, **told):
    """Write a profile of vector_sum; functions: {name: (calls, seconds)}."""
    rows = [
        {"function": f, "file": f"vector_sum/{implementation}.py", "line": 1, "calls": c, "total_s": s / 2,
         "cumulative_s": s} for f, (c, s) in functions.items()
    ]  # fmt: skip
    whole = {
        "schema_version": 2, "kernel": "vector_sum", "implementation": implementation, "title": "", "size": 10,
        "backend": implementation.split("_")[0], "dtype": "float64", "wall_s": wall_s, "plain_s": wall_s / 2,
        "rows": rows,
    }  # fmt: skip
    files.write_json(home / "profile" / "vector_sum" / f"{implementation}.json", whole | told)


def test_profiles_recorded_are_compared_by_the_call_and_by_shares(home):
    """Ten calls here against a thousand then; a function that compiled code hides from the profiler has no number."""
    rows = [
        {"label": "Python", "implementation": "python_loop", "time": "call", "recorded_s": 8, "recorded_calls": 1000},
        {"label": "Cython", "implementation": "cython_typed", "recorded_s": 2, "recorded_calls": 1000},
        {"label": "Inside", "implementation": "cython_typed", "function": "inner", "recorded_s": 1.5,
         "recorded_calls": 1000, "over": "Cython"},
        {"label": "Hidden", "implementation": "cython_typed", "function": "gone", "recorded_s": 0.5,
         "recorded_calls": 1000, "over": "Cython"},
    ]  # fmt: skip
    claim = {"says": "compiling pays", "faster": "Cython", "than": "Python", "least": 3, "most": 5}
    own = entry(kind="profile", lines=["vector_sum/*"], measure=[], rows=rows, over=None, claims=[claim], code=[
        {"kernel": "vector_sum", "implementation": "cython_typed"}])  # fmt: skip
    put(home, own, [])
    profiled(home, "python_loop", 0.04, {"run": (1, 0.04), "inner": (10, 0.03)})
    source = [{"name": "cython_typed.pyx", "text": "cdef int x\n"}]
    profiled(home, "cython_typed", 0.01, {"run": (1, 0.01), "inner": (10, 0.004)}, files=source)
    view = shown(home, own)
    cells = {row[0]: [cell.replace("\N{NO-BREAK SPACE}", " ") for cell in row[3:]] for row in view.table.rows}
    assert cells == {
        "Python": ["8.00 ms", "2.00 ms", "4.00×", "–", "–", "–"],
        "Cython": ["2.00 ms", "1.00 ms", "2.00×", "–", "–", "–"],
        "Inside": ["1.50 ms", "400 µs", "3.75×", "75%", "40%", "Cython"],
        "Hidden": ["500 µs", "not seen by the profiler", "–", "25%", "–", "Cython"],
    }
    assert view.missing == []
    (home / "profile" / "vector_sum" / "python_loop.json").unlink()
    assert shown(home, own).missing == ["Python: not profiled"]
    told = " ".join(view.sentences)
    assert "1\N{NARROW NO-BREAK SPACE}000 calls were recorded, and are 10 here, at size 10." in told
    assert "Then a call took 2.00× to 4.00× as long as it takes here." in told
    assert "Inside, of Cython: 75% then, 40% here." in told
    assert "“compiling pays” is not settled here: Cython is 2.00× as fast as Python" in told
    (found,) = kinds.find(own.kind).sources(own, measured.read(home, own))
    assert [file.text for file in found.files] == ["cdef int x\n"]


def test_profile_numbers_recorded_are_those_of_the_slides():
    """The shares that the profiler's table of the slide gives: 3.17 s of 3.61 s in the function, 1.24 s of it inside
    ascontiguousarray; what is called is a pixel of 1024 x 1024."""
    rows = {row.label: row for row in entries.find("esrf-profile").rows}
    assert {row.recorded_calls for row in rows.values()} == {1024 * 1024, 1024 * 1024 + 1, None}
    assert rows["Python with tuples"].recorded_s == 36
    assert rows["Python with numpy"].recorded_s == 450
    whole = rows["Cython with numpy"].recorded_s
    assert rows["In ascontiguousarray"].recorded_s / whole == pytest.approx(1.240 / 3.613, rel=1e-3)
