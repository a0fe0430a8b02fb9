"""Tests of figures of today's libraries: rankings, bandwidths relative to copying, and comparisons of versions."""

import json
import sys

import pytest
from lecture_figures import PART, entry, put, record, shown

from accelbench import config
from accelbench.lectures import needs, page

VERSIONS = [PART | {"implementations": ["numba_*@*"]}]
NUMBA = {"id": "today-versions", "kind": None, "measure": VERSIONS, "rows": [], "over": None}
STREAM = {"id": "today-stream", "kind": None, "over": None}


def test_ranking_is_of_one_of_what_the_largest_size_counts(home):
    own = entry(kind="ranking", per="size", rows=[], over=None)
    times = {"numpy_sum": (1e-3, 4e-3), "cffi_api": (1e-6, 8e-3)}
    put(home, own, [record(name, s, n) for name, both in times.items() for n, s in zip((10, 1000), both, strict=True)])
    view = shown(home, own)
    assert {label: [dot.value for dot in dots] for label, dots in view.chart.rows} == {
        "numpy_sum": [pytest.approx(4e-6, rel=0.002)], "cffi_api": [pytest.approx(8e-6, rel=0.002)]
    }  # fmt: skip
    dots = [dot for _, own in view.chart.rows for dot in own]
    assert all(dot.ends[0] <= dot.value <= dot.ends[1] < 1.1 * dot.value for dot in dots)
    axes = view.chart.draw().axes[0]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["numpy_sum", "cffi_api"]
    assert axes.get_xlabel().startswith("time / ")
    assert view.sentences == ["Fastest: numpy_sum, 4.00\xa0µs; slowest: cffi_api, 8.00\xa0µs."]
    whole = entry(kind="ranking", rows=[], over=None, id="own-whole")
    put(home, whole, [record("numpy_sum", 4e-3)])
    assert shown(home, whole).sentences == ["Fastest: numpy_sum, 4.00\xa0ms."]


def test_what_has_no_environment_is_left_out_with_what_helps(home):
    told = {"jax_jit": "jax", "jax_scan": "jax", "torch_out": "torch"}
    part = {"kernel": "vector_sum", "folder": "1-vector_sum", "missing": [], "left_out": told}
    why = "not measured without `environments: {jax: {}}` in the configuration"
    own = entry(kind="ranking", rows=[], over=None, lines=["numpy_*", "jax_*"])
    put(home, own, [record("numpy_sum", 4e-3)], parts=[part])
    assert shown(home, own).missing == [f"jax_jit, jax_scan: {why}"]
    rows = [{"label": "NumPy", "implementation": "numpy_sum"}, {"label": "JAX", "implementation": "jax_*"}]
    table = entry(rows=rows, id="own-table")
    put(home, table, [record("numpy_sum", 4e-3)], parts=[part])
    assert shown(home, table).missing == [f"JAX: {why}"]


def test_rows_of_today_without_a_number_are_left_out_and_those_of_lectures_are_not(home):
    rows = [
        {"label": "NumPy", "implementation": "numpy_sum"},
        {"label": "C", "implementation": "cffi_api"},
        {"label": "then", "implementation": "cython_typed", "recorded_s": 1e-3},
    ]
    kept = {}
    for lecture in ("own", "today"):
        own = entry(rows=rows, lecture=lecture, id=f"{lecture}-rows")
        put(home, own, [record("numpy_sum", 4e-3), record("cffi_api", 0, outcome="error", reason="gone")])
        view = shown(home, own)
        kept[lecture] = [label for label, _ in view.chart.rows]
        assert [row[0] for row in view.table.rows] == kept[lecture]
        assert view.missing == ["C: gone", "then: not measured"]
    assert kept == {"own": ["NumPy", "C", "then"], "today": ["NumPy", "then"]}


def streamed(backend, copy_s, dot_s=None, **keys):
    """Yield records of copying 10**6 float64 numbers, and of the dot product of as many float32 numbers."""
    yield record(f"{backend}_copy", copy_s, 10**6, bytes_read=8e6, bytes_written=8e6, **keys)
    if dot_s:
        keys |= {"dtype": "float32", "bytes_read": 8e6, "bytes_written": 0}
        yield record(f"{backend}_dot", dot_s, 10**6, **keys)


def test_bandwidths_are_shares_of_the_fastest_copy_of_the_same_device(home):
    rows = [
        {"label": "copy", "kernel": "vector_sum", "implementation": "*", "dtype": "float64"},
        {"label": "dot", "kernel": "vector_sum", "implementation": "*", "dtype": "float32"},
    ]
    own = entry(**STREAM, rows=rows)
    gpu = {"device": "NVIDIA H200", "threads": None}
    put(home, own, [
        *streamed("numba", 2e-3), *streamed("numpy", 1e-3, 4e-4), *streamed("cupy", 1e-5, 1e-5, **gpu),
        record("numpy_slow", 3e-3, 10**6, bytes_read=8e6, bytes_written=8e6),
        record("numpy_copy", 1e-9, 1000, bytes_read=8e3, bytes_written=8e3),
        record("cython_copy", 0, 10**6, outcome="build_failed", reason="no compiler"),
        record("numba_dot", 0, 10**6, dtype="float32", outcome="timeout", reason="no answer"),
        record("numpy_late", 0, 10**6, outcome="timeout", reason="no answer"),
    ])  # fmt: skip
    view = shown(home, own)
    assert [(*row[:3], row[-1] == "NVIDIA H200") for row in view.table.rows] == [
        ("numpy", "100%", "125%", False), ("numba", "50%", "", False), ("cupy", "100%", "50%", True)
    ]  # fmt: skip
    assert ["100% is 16.0" in sentence for sentence in view.sentences] == [True, False]
    assert ["100% is 1.60" in sentence for sentence in view.sentences] == [False, True]
    assert view.sentences[0].endswith("the fastest copy here, by numpy; the least is 50%, copy by numba.")
    assert view.missing == ["cython: no compiler", "numba, dot: no answer"]
    maps = view.chart.draw().axes
    drawn = [[line for text in axes.texts for line in text.get_text().split("\n")] for axes in maps]
    assert "125%" in drawn[0]
    assert "NVIDIA H200" in drawn[1]
    assert maps[0].collections[0].get_array().count() == 3, "missing implementations are blank"
    assert "0%" not in drawn[0]


def test_backends_without_a_copy_are_in_the_order_of_their_names(home):
    """Backends without a copy are sorted by name, not by the random order of a set."""
    rows = [
        {"label": "copy", "kernel": "vector_sum", "implementation": "*", "dtype": "float64"},
        {"label": "dot", "kernel": "vector_sum", "implementation": "*", "dtype": "float32"},
    ]
    own = entry(**STREAM, rows=rows)
    others = ["cffi", "cython", "f2py", "nanobind", "numexpr", "pythran", "torch"]
    dots = [list(streamed(backend, 1e-3, 4e-4))[1] for backend in reversed(others)]
    put(home, own, [*streamed("numpy", 1e-3), *dots])
    assert [row[0] for row in shown(home, own).table.rows] == ["numpy", *others]


def test_bandwidth_without_a_copy_says_why(home):
    row = {"label": "copy", "kernel": "vector_sum", "implementation": "*"}
    own = entry(**STREAM, rows=[row])
    put(home, own, [record("cython_copy", 0, outcome="build_failed", reason="no compiler")])
    assert shown(home, own).summary == "Not made here: cython: no compiler"


def contestant(name, version, seconds, **keys):
    return record(f"{name}@{version}", seconds, **keys)


def test_new_version_is_held_against_the_one_before(home):
    """The newest version is compared with the one before, at the largest size. Version 0.10 is newer than 0.9."""
    own = entry(**NUMBA)
    put(home, own, [
        record("numba_njit", 5e-3),
        contestant("numba_njit", "0.9", 2e-3), contestant("numba_njit", "0.10", 2.5e-3),
        contestant("numba_njit", "0.9", 9e-6, size=10), contestant("numba_njit", "0.10", 1e-6, size=10),
        contestant("numba_parallel", "0.9", 3e-3), contestant("numba_parallel", "0.10", 1e-3),
        contestant("numba_vectorize", "0.9", 3e-3),
        contestant("numba_vectorize", "0.10", 0, outcome="error", reason="gone"),
    ])  # fmt: skip
    view = shown(home, own)
    assert view.chart.names == ["vector_sum: numba_njit", "vector_sum: numba_parallel"]
    slower, faster = view.chart.comparisons
    assert [slower.ratio, faster.ratio] == pytest.approx([0.8, 3])
    assert slower.low < 0.8 < slower.high < 0.98
    assert view.sentences[0] == "numba 0.9 to 0.10: of 2 comparisons, 1 slower, 1 faster."
    assert view.sentences[1].startswith("Slower, numba 0.9 to 0.10: vector_sum: numba_njit, 0.800× as fast (95 % inter")
    assert len(view.sentences) == 2
    assert view.missing == ["vector_sum: numba_vectorize@0.10: gone"]
    assert view.chart.draw().axes[0].get_xlabel() == "times as fast, numba 0.9 to 0.10"


@pytest.mark.usefixtures("svg_alone")
@pytest.mark.parametrize("figure", ["ranking", "stream", "versions"])
def test_what_was_drawn_is_read_for_the_page_again(home, figure):
    row = {"label": "copy", "kernel": "vector_sum", "implementation": "*"}
    keys = {"ranking": {"kind": "ranking", "rows": []}, "stream": STREAM | {"rows": [row]}, "versions": NUMBA}
    own = entry(**{"over": None, "lecture": "today", "slide": None} | keys[figure])
    moved = {"bytes_read": 8e3, "bytes_written": 8e3}
    put(home, own, [contestant("numba_njit", version, 1e-3, **moved) for version in ("0.9", "0.10")])
    page.write_figure(own, home, home / "reports")
    assert json.loads(page.drawn_file(home, own).read_text())["complete"]
    page.write_page(home, home / "reports", [own])
    text = (home / "reports" / "lectures" / "today.html").read_text()
    assert f'id="{own.id}"' in text
    assert "Today&#39;s libraries" in text
    assert "slide “" not in text
    assert "<dt>Then</dt>" not in text


def test_figure_of_versions_without_two_of_them_says_what_it_needs(home):
    own = entry(**NUMBA)
    put(home, own, [record("numba_njit", 5e-3)])
    assert "the configuration has no two environments of one library" in shown(home, own).summary


def test_versions_are_measured_for_their_figure_alone():
    here = {"python": sys.executable}
    base = config.parse({"environments": {"numba@0.9": here, "numba@0.10": here}})
    (need,) = needs.of(entry(**NUMBA), base)
    measured = {i.name: i.environment for i in need.config.implementations.values() if i.backend == "numba"}
    assert {"numba_njit@0.9": "numba@0.9", "numba_njit@0.10": "numba@0.10"}.items() <= measured.items()
    assert all("@" in name for name in measured)
    (other,) = needs.of(entry(measure=[PART | {"implementations": ["numba_*"]}]), base)
    assert not any("@" in name for name in other.config.implementations)
    (without,) = needs.of(entry(**NUMBA), config.parse({}))
    assert without.config is None
    assert without.missing == []
    assert needs.missing([entry(**NUMBA)], config.parse({})) == {}


def test_what_asks_for_an_environment_is_left_out_where_it_has_none():
    own = entry(measure=[PART | {"implementations": ["cffi_api", "jax_*", "torch_*"]}])
    (need,) = needs.of(own, config.parse({"environments": {"torch": {"python": sys.executable}}}))
    assert need.left_out == {"jax_jit": "jax"}
    assert "torch_compile" in need.config.implementations
