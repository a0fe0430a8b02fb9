"""The lectures' figures: what they declare, what is measured for them, what is drawn, and what it says."""

import base64
import json
import re
import shutil
import subprocess
import sys
import time
from types import SimpleNamespace

import numpy as np
import pytest
import synthetic_results as made
from dry_run import dry_run
from pydantic import BaseModel
from typer.testing import CliRunner

from accelbench import config, project
from accelbench.cli import commands, ending
from accelbench.config.select import EffectiveConfig
from accelbench.errors import InputError
from accelbench.figures import polygon_mask
from accelbench.lectures import entries, kinds, measured, measuring, needs, page, sources, value, views, writing
from accelbench.lectures.kinds import pool
from accelbench.model.record import Order, Record, Startup, Timing
from accelbench.store import files

PRINTED = {"figures": [{"id": "a", "lecture": "own", "slide": "s", "title": "t", "kind": "ways"}]}
PART = {"kernel": "vector_sum", "implementations": ["cffi_api"], "sizes": [1000], "dtypes": ["float64"]}
ROWS = [
    {"label": "NumPy", "implementation": "numpy_sum", "recorded_s": 0.002},
    {"label": "C", "implementation": "cffi_api", "recorded_s": 0.001},
]


CLAIM = {"says": "C is faster", "faster": "C", "than": "NumPy"}

ADDED_KIND = """
from accelbench.lectures.kind import Kind
from accelbench.lectures.view import View


class CountKind(Kind):
    def view(self, entry, results):
        from accelbench.figures.notice import Notice

        text = f"There is {len(results.cases)} case."
        return View(Notice(text), text, sentences=[text])
"""
DRAW_ADDED = """
from accelbench.lectures import entries, writing

found = list(entries.parse({figures}).values())
writing.write_figure(found[0], {home!r}, {home!r} + "/out")
writing.write_page({home!r}, {home!r} + "/out", found)
"""


def entry(**keys):
    plain = {"id": "own-sum", "lecture": "own", "slide": "Sums", "title": "Sums <in> C", "kind": "ways"}
    given = plain | {"measure": [PART], "rows": ROWS, "over": "NumPy"} | keys
    (found,) = entries.parse({"figures": [given]}, "mine.yaml").values()
    return found


def refused(data):
    with pytest.raises(InputError) as caught:
        entries.parse(data, "mine.yaml")
    return str(caught.value)


# What is declared


def test_every_figure_of_the_lectures_is_declared():
    found = entries.read()
    assert list(found) == [
        "icsc23-pi-timeit", "icsc23-pi", "icsc23-sum", "icsc23-event", "icsc23-arrays", "icsc23-multiply",
        "icsc23-peer", "icsc23-similarity", "esrf-mask", "esrf-profile", "esrf-annotate", "esrf-speedups",
        "esrf-speedups-gpu",
        "esrf-workgroups", "cupy101-ones", "cupy101-transfer", "cupy101-linalg", "cupy101-sum", "cupy101-pool",
        "cupy101-exercise1", "cupy101-exercise2", "firenze-saxpy", "gtc2010-launch", "gtc2010-fusion",
        "gtc2010-templates",
    ]  # fmt: skip
    assert {figure.lecture for figure in found.values()} <= page.LECTURES.keys()


def test_recorded_numbers_agree_with_the_recorded_ratios():
    rows = {row.label: row for row in entries.find("esrf-speedups").rows}
    first = rows["Python with tuples"].recorded_s
    for row in rows.values():
        if row.recorded_ratio:
            assert first / row.recorded_s == pytest.approx(row.recorded_ratio, rel=0.02)


def test_pure_python_is_measured_at_the_lecture_s_size_and_it_alone_may_take_that_long():
    parts = entries.find("esrf-speedups").measure
    long = [part for part in parts if part.max_call_s]
    assert {"python_tuples", "python_numpy_scalars"} <= {name for part in long for name in part.implementations}
    assert all(name.startswith(("python_", "cython_")) for part in long for name in part.implementations)
    assert {part.sizes for part in parts} == {(1024,)}


def test_the_notebook_s_transfers_are_its_own_three_calls():
    figure = entries.find("cupy101-transfer")
    assert {row.label: (row.implementation, row.recorded_s) for row in figure.rows} == {
        "asarray": ("cupy_asarray", 28.7e-6), "asnumpy": ("cupy_asnumpy", 18.5e-6), "get": ("cupy_get", 17.5e-6)
    }  # fmt: skip
    assert not any(row.unlike for row in figure.rows)
    for row in figure.rows:
        source = (project.ROOT / "kernels" / "transfer" / f"{row.implementation}.py").read_text()
        called = {"asarray": "cp.asarray(x)", "asnumpy": "cp.asnumpy(x)", "get": "x.get()"}[row.label]
        assert f"return {called}" in source


def test_every_figure_shows_our_source():
    """A picture and the pools' walk are of no implementation."""
    without = {name for name, figure in entries.read().items() if not figure.code}
    assert without <= {"esrf-mask", "cupy101-pool"}


def test_every_name_in_the_figures_is_there():
    needs.check(entries.read().values(), needs.read_configuration())


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"kind": "pie"}, "figure 'a': kind: must be 'annotations', 'blocks'"),
        ({"colour": "red"}, "figure 'a': unknown key 'colour'. Keys here: axes, claims, code"),
        ({"id": "My Figure"}, "figure 'My Figure': id: 'My Figure' is no id"),
        ({}, "figure 'a': measure: a figure of kind ways needs it"),
        ({"measure": [PART]}, "figure 'a': rows: a figure of kind ways needs it"),
        ({"measure": [PART | {"size": 3}]}, "figure 'a': unknown key 'measure[0].size'"),
        ({"measure": [PART], "rows": ROWS, "over": "Fortran"}, "over: there is no row 'Fortran'"),
        ({"measure": [PART], "rows": ROWS * 2}, "2 rows are labelled"),
        ({"measure": [PART], "rows": [ROWS[0] | {"kernel": "saxpy"}]}, "the kernel 'saxpy' is not among those"),
        ({"measure": [PART], "rows": [ROWS[0] | {"recorded_s": -1}]}, "rows[0].recorded_s: must be greater than "),
        ({"measure": [PART], "rows": ROWS, "claims": [{"says": "x", "faster": "Y", "than": "C"}]}, "no row 'Y'"),
        ({"measure": [PART], "rows": ROWS, "claims": [{**CLAIM, "least": 3, "most": 2}]}, "2 is less than least, 3"),
        ({"measure": [PART], "kind": "map"}, "axes: a figure of kind map needs it"),
        ({"measure": [PART], "kind": "code"}, "code, two of them: a figure of kind code needs it"),
    ],
)
def test_a_mistake_is_told_with_file_entry_key_and_remedy(change, told):
    message = refused({"figures": [PRINTED["figures"][0] | change]})
    assert message.startswith("mine.yaml: ")
    assert told in message
    assert "config/README.md explains" in message


def test_an_id_twice_and_an_unknown_figure():
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


def test_a_kind_that_is_added_is_one_file(home, tmp_path):
    """In a copy of the package: declared, drawn, and in the page."""
    package = shutil.copytree(project.ROOT / "workflow" / "accelbench", tmp_path / "accelbench")
    (package / "lectures" / "kinds" / "count.py").write_text(ADDED_KIND)
    own = {"id": "own-count", "lecture": "own", "slide": "s", "title": "t", "kind": "count", "measure": [PART]}
    put(home, entry(id="own-count"), [record("numpy_sum", 8e-3)])
    files.write(tmp_path / "draw.py", DRAW_ADDED.format(figures={"figures": [own]}, home=str(home)))
    done = subprocess.run([sys.executable, tmp_path / "draw.py"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    page_of_it = (home / "out" / "lectures.html").read_text()
    assert "<li>There is 1 case.</li>" in page_of_it
    assert "1 of 1 figures are complete" in page_of_it


# What is measured for them


def test_a_part_without_sizes_is_measured_at_the_kernel_s_own_those_for_gpus_included():
    """As measure.plan promises of the preset: what the kernel adds for GPUs, for them and the baseline alone."""
    (need,) = needs.of(entries.find("icsc23-peer"), needs.read_configuration())
    spec = need.config.kernel.spec
    assert (need.config.sizes, need.config.sizes_gpu) == (spec.sizes["lecture"], spec.sizes_gpu)
    (own,) = needs.of(entry(measure=[{"kernel": "peer_copy"}]), config.Config(preset="smoke"))
    assert max(spec.sizes_gpu) in own.config.sizes_gpu
    (given,) = needs.of(entry(measure=[{"kernel": "peer_copy", "sizes": [7]}]), needs.read_configuration())
    assert (given.config.sizes, given.config.sizes_gpu) == ((7,), ())


def test_what_wants_a_gpu_is_not_measured_without_one(tmp_path, monkeypatch):
    """The svd of 800 MB takes NumPy minutes: nobody spends them where no GPU is there to compare with."""
    made.write(tmp_path / "results" / "synthetic")
    asked = []
    monkeypatch.setattr(measuring.measure, "measure", lambda config, *_, **__: asked.append(
        (config.kernel.name, config.sizes, config.protocol.max_call_s)))  # fmt: skip
    whole, base = entries.find("icsc23-arrays"), needs.read_configuration()
    home = tmp_path / "results" / "synthetic"
    measuring.run(whole, base, "synthetic", home, tell=lambda line: None)
    assert ("svd", (1000,), 30) in asked
    assert {10000, 100000000} & {size for _, sizes, _ in asked for size in sizes} == set()
    monkeypatch.setattr(measuring.plan, "has_gpu", lambda described: True)
    measuring.run(whole, base, "synthetic", home, tell=lambda line: None)
    assert ("svd", (10000,), 200) in asked


def test_each_part_is_a_configuration_of_its_own():
    base = needs.read_configuration()
    fast, slow = needs.of(entries.find("esrf-speedups"), base)
    assert slow.config.protocol.max_call_s == 900
    assert fast.config.protocol.max_call_s == base.protocol.max_call_s < 900
    assert fast.config.sizes == (1024,)
    assert "python_tuples" not in fast.config.implementations
    assert fast.config.kernel.spec.baseline in slow.config.implementations


def test_block_sizes_are_the_usual_one_a_list_or_the_whole_sweep():
    base = needs.read_configuration()
    chosen = [None, "sweep", [33, 64]]
    parts = [PART | ({"block_sizes": blocks} if blocks else {}) for blocks in chosen]
    found = [need.config.block_sizes("gpu") for need in needs.of(entry(measure=parts), base)]
    assert [[*map(str, blocks)] for blocks in (found[0], found[2])] == [["256"], ["33", "64"]]
    assert found[1] == base.block_sizes
    assert {"1", "33", "100", "1024"} <= {*map(str, base.block_sizes)}
    (flat,) = needs.of(entry(measure=[PART | {"kernel": "matmul", "implementations": ["cupy_*"]}]), base)
    assert [*map(str, flat.config.block_sizes("gpu"))] == ["16x16"]


def test_what_is_not_there_is_left_out_and_listed():
    asked = [PART | {"implementations": ["cffi_api", "fortran_*"], "dtypes": ["float64", "int8"]}]
    own = entry(measure=[*asked, {"kernel": "nosuch"}, PART | {"options": {"width": 3}}])
    base = needs.read_configuration()
    some, none, option = needs.of(own, base)
    assert set(some.config.implementations) == {"cffi_api", some.config.kernel.spec.baseline}
    assert some.config.dtypes == ("float64",)
    assert some.missing == ["vector_sum has no implementation fortran_*", "vector_sum is not specified for int8"]
    assert none.config is option.config is None
    with pytest.raises(InputError) as caught:
        needs.check([own], base)
    for word in ("own-sum: ", "fortran_*", "int8", "no kernel nosuch", "no option width"):
        assert word in str(caught.value)


def test_a_row_that_nothing_measures_is_a_mistake():
    own = entry(rows=[*ROWS, {"label": "Numba", "implementation": "numba_njti"}])
    assert needs.missing([own], needs.read_configuration()) == {
        "own-sum": ["the row 'Numba' shows numba_njti, which is not measured for it"]
    }


def test_a_claim_about_a_size_that_nothing_measures_is_a_mistake():
    own = entry(claims=[CLAIM | {"size": 77}, CLAIM | {"size": 1000}])
    assert needs.missing([own], needs.read_configuration()) == {
        "own-sum": ["the claim 'C is faster' looks at size 77, which is not measured"]
    }


# What is drawn and said


def record(implementation, seconds, size=1000, sittings=3, outcome="ok", **keys):
    """A Record as measuring leaves it; seconds per call, slightly different in every sitting."""
    told = {"machine": "synthetic", "kernel": "vector_sum", "dtype": "float64", "device": "cpu", "threads": 1}
    told |= {"implementation": implementation, "backend": implementation.split("_")[0], "size": size}
    if outcome != "ok":
        return Record(**told | keys, outcome=outcome)
    times = [[seconds * (1 + 0.001 * number)] * 5 for number in range(sittings)]
    timing = Timing(
        samples_s=times, rounds=[[*range(5)]] * sittings, loops=[1] * sittings, median_s=seconds,
        ci_low_s=seconds * 0.99, ci_high_s=seconds * 1.01, converged=True,
    )  # fmt: skip
    return Record(
        **told | keys, outcome=outcome, timings={"compute": timing}, startup=Startup(first_call_s=10 * seconds),
        sittings=[f"s{number}" for number in range(sittings)], order=Order(seed=1, processes=sittings),
    )  # fmt: skip


@pytest.fixture
def home(tmp_path):
    """A results folder with a machine and the card of vector_sum, as `made` invents them."""
    folder = tmp_path / "results" / "synthetic"
    made.write(folder)
    shutil.rmtree(folder / "timings")
    return folder


def put(home, own, records, **told):
    """Write what measuring would have: the records of a figure's only part."""
    folder = home / "lectures" / own.id
    part = folder / "1-vector_sum"
    shutil.copytree(home / "kernels", part / "kernels")
    files.write(part / "timings" / "vector_sum.jsonl", "".join(r.model_dump_json() + "\n" for r in records))
    parts = [{"kernel": "vector_sum", "folder": part.name, "missing": []}] if records else []
    files.write_json(folder / "measured.json", {"schema_version": 1, "figure": own.id, "parts": parts, **told})


def test_what_is_implausible_is_no_value_of_a_figure():
    lazy, right = (SimpleNamespace(seconds=lambda kind, s=s: s, implausible=s < 1e-6) for s in (1e-9, 1e-3))
    found = value.fastest([lazy, right])
    assert (found.seconds, found.case) == (1e-3, right)
    assert value.fastest([lazy]).reason == "implausible: faster than this machine can be"


def shown(home, own):
    return views.make(own, measured.read(home, own))


def test_ratios_then_and_now_stand_side_by_side(home):
    own = entry()
    put(home, own, [record("numpy_sum", 8e-3), record("cffi_api", 2e-3)])
    view = shown(home, own)
    _, row = view.rows
    assert [row[column] for column in (0, 1, 2, 3, 4)] == ["C", "1.00\xa0ms", "2.00\xa0ms", "2.00×", "4.00×"]
    assert view.complete
    assert view.missing == []
    assert "1 of 1 recorded ratios come out here within a factor of 2." in view.sentences
    assert "Then the same work took 0.250× to 0.500× as long as it takes here." in view.sentences


def test_what_does_not_compare_is_shown_without_a_ratio(home):
    """Another problem, a launch beside a result, and what was printed of something else."""
    own = entry(rows=[
        *ROWS,
        {"label": "C, long", "implementation": "cffi_api", "size": 10**6},
        {"label": "C, launched", "implementation": "cffi_api", "size": 1000, "time": "launch"},
        {"label": "C, by ear", "implementation": "cffi_api", "size": 1000, "recorded_s": 1e-9, "unlike": "a guess"},
        {"label": "C, again", "implementation": "cffi_api", "size": 1000, "recorded_s": 1e-9, "over": "C, by ear"},
    ])  # fmt: skip
    fast = record("cffi_api", 2e-3)
    fast.timings["launch"] = fast.timings["compute"]
    put(home, own, [record("numpy_sum", 8e-3), fast, record("cffi_api", 3.0, size=10**6)])
    view = shown(home, own)
    ratios = {row[0]: row[3:6] for row in view.rows}
    assert ratios["C"][1] == "4.00×"
    assert ratios["C, long"] == ["–", "–", "none: another problem"]
    assert ratios["C, launched"] == ["–", "–", "none: a launch is no result"]
    assert ratios["C, by ear"][:2] == ["–", "4.00×"]
    assert ratios["C, again"][:2] == ["–", "1.00×"]
    assert "Not compared: C, by ear: a guess." in view.sentences
    assert "1 of 1 recorded ratios come out here within a factor of 2." in view.sentences


def test_an_order_that_has_changed_is_said_to_have(home):
    own = entry(rows=[*ROWS, {"label": "Numba", "implementation": "numba_njit", "recorded_s": 0.0001}])
    put(home, own, [record("numpy_sum", 1e-3), record("cffi_api", 4e-3), record("numba_njit", 3e-3)])
    told = " ".join(shown(home, own).sentences)
    assert "who is faster is the other way round for C: 2.00× then, 0.250× here" in told
    assert "Does not hold: the order of the ways; NumPy was slower than Numba and is faster here." in told


@pytest.mark.parametrize(
    ("least", "most", "word"), [(1, None, "holds here"), (5, None, "does not hold here"), (3, 5, "holds here")]
)
def test_claims_are_judged_by_the_numbers(home, least, most, word):
    claim = {"says": "C pays", "faster": "C", "than": "NumPy", "least": least, "most": most}
    own = entry(claims=[claim])
    put(home, own, [record("numpy_sum", 8e-3), record("cffi_api", 2e-3)])
    (told,) = [sentence for sentence in shown(home, own).sentences if "C pays" in sentence]
    assert told.startswith(f"“C pays” {word}: C is 4.00× as fast as NumPy (95 % interval ")


def test_a_claim_is_looked_at_at_every_size_and_says_what_counts(home):
    claim = {"says": "C pays", "faster": "cffi_api", "than": "numpy_sum", "least": 1.5, "but": "the compiler is new"}
    own = entry(kind="size", rows=[], over="numpy_sum", claims=[claim])
    times = {10: (1e-6, 2e-6), 1000: (8e-3, 2e-3), 10**6: (8.0, 2.0)}
    put(
        home,
        own,
        [r for n, (slow, fast) in times.items() for r in (record("numpy_sum", slow, n), record("cffi_api", fast, n))],
    )
    told = shown(home, own).sentences[-1]
    assert told.startswith("“C pays” holds here: cffi_api is 4.00× as fast as numpy_sum at size 10⁶ (95 % interval ")
    assert told.endswith("; it counts as so from 1.50× on), but not at 10; the compiler is new.")


def test_what_transfers_leave_of_a_ratio_is_said(home):
    own = entry(rows=[ROWS[0], ROWS[1] | {"device": "gpu"}], show="ratio")
    there = record("cffi_api", 1e-3, device="NVIDIA H200", threads=None)
    there.timings["end_to_end"] = record("cffi_api", 16e-3).timings["compute"]
    there.timings["end_to_end_pinned"] = record("cffi_api", 2e-3).timings["compute"]
    put(home, own, [record("numpy_sum", 8e-3), there])
    view = shown(home, own)
    (row,) = view.rows
    assert "8.00×" in row
    assert "0.500× (4.00×)" in row
    lines = entry(kind="size", rows=[], show="ratio", over="numpy_sum", id="own-lines")
    put(home, lines, [record("numpy_sum", 8e-3), there])
    told = "With transfers, at 10³: cffi_api · H200 0.500× (4.00×)."
    assert told in shown(home, lines).sentences


def test_a_transfer_that_is_what_was_timed_is_no_second_time(home):
    """Without a time from host to host of its own, `compute` is the whole of it."""
    own = entry(rows=[ROWS[0], ROWS[1] | {"device": "gpu"}])
    there = record("cffi_api", 1e-3, device="NVIDIA H200", threads=None)
    put(home, own, [record("numpy_sum", 8e-3), there])
    assert "with transfers" not in shown(home, own).columns


def test_nothing_is_faked_where_something_is_missing(home):
    own = entry(claims=[{"says": "C pays", "faster": "C", "than": "NumPy"}])
    why = "no such device"
    put(home, own, [record("numpy_sum", 8e-3), record("cffi_api", 0, outcome="unavailable", reason=why, device=None)])
    view = shown(home, own)
    assert view.missing == ["C: no such device"]
    assert view.rows[1][2:5] == ["no such device", "2.00×", "–"]
    assert any("cannot be judged here: C: no such device." in sentence for sentence in view.sentences)
    assert view.complete


def test_what_wants_a_gpu_says_so_where_there_is_none(home):
    on_gpu = [
        {"label": "C, large", "implementation": "cffi_api", "size": 10**6},
        ROWS[1] | {"label": "C, GPU", "device": "gpu"},
    ]
    parts = [PART, PART | {"sizes": [10**6], "needs": "gpu"}]
    own = entry(rows=[*ROWS, *on_gpu], measure=parts)
    put(home, own, [record("numpy_sum", 8e-3, 1000)])
    assert [row[2] for row in shown(home, own).rows[1:]] == ["not measured", *["there is no GPU here"] * 2]
    machine = files.read_json(home / "machine.json")
    machine["backends"]["pyopencl"]["devices"].append(machine["backends"]["pyopencl"]["devices"][0] | {"kind": "gpu"})
    files.write_json(home / "machine.json", machine)
    assert [row[2] for row in shown(home, own).rows[1:]] == ["not measured"] * 3


def test_a_figure_without_any_number_says_why(home):
    own = entry(kind="size", rows=[], over=None)
    put(home, own, [record("cffi_api", 0, outcome="unavailable", reason="no GPU", device=None)])
    view = shown(home, own)
    assert not view.complete
    assert view.summary == "Not made here: no GPU"


def test_hardware_that_a_figure_needs_and_does_not_have_is_named(home):
    told = dict.fromkeys(("cpu", "gpu", "two gpus"), "")
    for need in told:
        own = entry(id=f"own-{need.replace(' ', '-')}", needs=need)
        put(home, own, [record("numpy_sum", 8e-3), record("cffi_api", 2e-3)])
        told[need] = " ".join(shown(home, own).missing)
    assert told["cpu"] == ""
    assert told["gpu"] == "the whole figure needs a GPU, and there is no GPU here"
    assert told["two gpus"].startswith("the whole figure needs two GPUs")


def test_a_figure_of_two_gpus_names_both(home):
    """The other GPU is in no case's name: the case runs on one, and copies to the other."""
    machine = files.read_json(home / "machine.json")
    both = [{"name": f"NVIDIA L4 #{number}", "kind": "gpu"} for number in (1, 2)]
    found = machine["backends"]["pyopencl"]["devices"]
    machine["backends"]["pyopencl"]["devices"] = [found[0] | device for device in both]
    files.write_json(home / "machine.json", machine)
    for needed, named in (("two gpus", "L4 #1, NVIDIA L4 #2"), ("cpu", "cores")):
        own = entry(id=f"own-{needed.replace(' ', '-')}", needs=needed)
        put(home, own, [record("numpy_sum", 8e-3), record("cffi_api", 2e-3)])
        assert writing.hardware(own, measured.read(home, own)).removesuffix(", a virtual machine").endswith(named)


def test_lines_over_the_size_are_ratios_to_the_same_size(home):
    own = entry(kind="size", rows=[], show="ratio", over="numpy_sum", lines=["cffi_api", "numpy_sum"])
    fast = [record("cffi_api", 1e-6, 1000), record("cffi_api", 4e-3, 10**6)]
    put(home, own, [record("numpy_sum", 3e-6, 1000), record("numpy_sum", 2e-3, 10**6), *fast])
    view = shown(home, own)
    line = next(line for line in view.figure.lines if line.label == "cffi_api")
    assert line.x == [1000, 10**6]
    assert line.y == pytest.approx([3, 0.5])
    assert view.sentences == ["cffi_api: at most 3.00×, at 10³; faster than numpy_sum at 10³."]


def test_the_fastest_block_and_the_best_pair_are_named(home):
    times = {(1, 64): 4e-3, (1, 256): 3e-3, (4, 64): 1e-3, (4, 256): 2e-3}
    records = [record("numpy_sum", 8e-3)] + [
        record("pyopencl_raw", seconds, parameters={"unroll": unroll, "block_size": block})
        for (unroll, block), seconds in times.items()
    ]
    own = entry(kind="map", rows=[], over=None, axes=["unroll", "block_size"], lines=["pyopencl_*"])
    put(home, own, records)
    view = shown(home, own)
    assert view.figure.times == pytest.approx(times)
    assert "the best pair is unroll 4 with block size 64, 1.00\xa0ms" in view.sentences[0]
    assert "takes 4.00× as long" in view.sentences[1]
    blocks = entry(id="own-blocks", kind="blocks", rows=[], over=None, lines=["pyopencl_*"])
    put(home, blocks, records)
    assert shown(home, blocks).sentences == ["pyopencl_raw: fastest with 64 (1.00\xa0ms); 256 takes 2.00× as long."]


def test_block_sizes_that_intervals_do_not_tell_apart_tie(home):
    own = entry(kind="blocks", rows=[], lines=["pyopencl_raw"])
    times = {32: 1.5e-3, 64: 1.005e-3, 128: 1e-3, 256: 4e-3}
    put(home, own, [record("pyopencl_raw", s, parameters={"block_size": b}) for b, s in times.items()])
    more = entry(kind="blocks", rows=[], lines=["pyopencl_raw"], id="own-more")
    put(
        home,
        more,
        [record("pyopencl_raw", s, parameters={"block_size": b}) for b, s in (times | {16: 1e-3, 32: 1e-3}).items()],
    )
    assert "fastest with 16 to 128, which tie" in shown(home, more).sentences[0]
    assert shown(home, own).sentences == [
        "pyopencl_raw: fastest with 64 and 128, which tie (1.00\xa0ms); 256 takes 4.00× as long."
    ]
    alike = entry(kind="blocks", rows=[], lines=["pyopencl_raw"], id="own-alike")
    put(home, alike, [record("pyopencl_raw", 1e-3, parameters={"block_size": b}) for b in (32, 64)])
    told = "pyopencl_raw: 1.00\xa0ms, whatever the block size, as far as the intervals tell."
    assert shown(home, alike).sentences == [told]


def test_tuning_is_worth_what_it_gains_over_a_usual_block(home):
    own = entry(kind="map", rows=[], lines=["pycuda_*"], axes=["unroll", "block_size"])
    times = {(1, 1): 64e-3, (1, 256): 3e-3, (4, 256): 2e-3}
    put(home, own, [
        record("pycuda_template", s, parameters={"unroll": u, "block_size": b}, device="NVIDIA H200", threads=None)
        for (u, b), s in times.items()
    ])  # fmt: skip
    told = shown(home, own).sentences
    assert told[1] == "The worst, 1 with 1, takes 32.0× as long."
    assert told[2] == "1 with 256, as one writes it untuned, takes 1.50× as long: what tuning is worth here."


def test_a_picture_is_the_mask_that_is_checked(tmp_path):
    base = needs.read_configuration()
    (need,) = needs.of(entries.find("esrf-mask"), base)
    sweep = need.config.sweep.model_copy(update={"sizes": (64,)})
    asked = need.config.config.model_copy(update={"kernels": {"inside_polygon": sweep}})
    small = EffectiveConfig.of(asked, need.config.kernel)
    picture = kinds.find("picture").observe([needs.Need(need.part, small)], None, tmp_path)
    mask = np.unpackbits(np.frombuffer(base64.b64decode(picture["mask"]), np.uint8)).reshape(picture["shape"])
    expected = need.config.kernel.functions["reference"](np.array(picture["polygon"], "int32"), 64, 0)
    assert (mask == expected).all()
    assert len(picture["polygon"]) == 24


def test_crossings_of_a_ring_are_counted():
    assert polygon_mask.crossings(np.array([(0, 0), (4, 0), (4, 4), (0, 4)])) == 0
    assert polygon_mask.crossings(np.array([(0, 0), (4, 4), (4, 0), (0, 4)])) == 1


def test_lines_that_differ_are_marked():
    marked, same = sources.compare_lines("import a\n\nx = 1\n", "import b\n\nx = 1\n")
    assert marked[0] == [("import a", True), ("", False), ("x = 1", False)]
    assert marked[1][0] == ("import b", True)
    assert same == 1  # the blank line counts for nothing


def test_code_side_by_side_is_timed_on_the_same_kind_of_device(home):
    """The processor's OpenCL is not set against a GPU where there is the GPU's OpenCL; without it, it must be."""
    own = entry(kind="code", rows=[], over=None, code=[
        {"kernel": "vector_sum", "implementation": "numba_njit"},
        {"kernel": "vector_sum", "implementation": "pyopencl_raw"},
    ])  # fmt: skip
    there = {"device": "NVIDIA H200", "threads": None}
    records = [
        record("numba_njit", 1e-3, **there),
        record("pyopencl_raw", 2e-3, device=made.OPENCL_DEVICE),
        record("pyopencl_raw", 3e-3, **there),
    ]
    put(home, own, records)
    view = shown(home, own)
    assert view.rows[1] == ["pyopencl_raw", "3.00\xa0ms", "H200"]
    assert view.sentences[-1] == "pyopencl_raw takes 3.00× the time of numba_njit."
    shutil.rmtree(home / "lectures")
    put(home, own, records[:2])
    assert shown(home, own).rows[1][1] == "2.00\xa0ms"


def test_scores_are_read_from_cython_s_page():
    text = '<pre class="cython line score-0">1: </pre>\n<pre class="cython line score-12" onclick="x">+2: y</pre>'
    assert sources.annotated_scores(text) == [0, 12]


def test_profiles_stand_slowest_first_with_the_function_that_costs_most(home):
    own = entry(kind="profile", lines=["vector_sum/python_*"], measure=[], rows=[], over=None)
    put(home, own, [])
    assert "nothing was profiled yet" in shown(home, own).summary
    for name, wall_s, calls in (("python_sum", 2.0, 1), ("python_loop", 8.0, 12), ("numpy_sum", 9.0, 1)):
        spent = {"file": "x.py", "line": 1, "calls": calls, "total_s": wall_s / 4, "cumulative_s": wall_s}
        rows = [{**spent, "function": "outer", "total_s": 0.0}, {**spent, "function": "inner"}]
        of = {"kernel": "vector_sum", "implementation": name, "backend": name.split("_")[0], "title": "", "size": 10}
        times = {"wall_s": wall_s, "plain_s": wall_s / 2, "rows": rows}
        told = {"schema_version": 1, **of, "dtype": "float64", **times}
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
        "schema_version": 1, "kernel": "vector_sum", "implementation": implementation, "title": "", "size": 10,
        "backend": implementation.split("_")[0], "dtype": "float64", "wall_s": wall_s, "plain_s": wall_s / 2,
        "rows": rows,
    }  # fmt: skip
    files.write_json(home / "profile" / "vector_sum" / f"{implementation}.json", whole | told)


def test_recorded_profiles_are_compared_by_the_call_and_by_shares(home):
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
    cells = {row[0]: [cell.replace("\N{NO-BREAK SPACE}", " ") for cell in row[3:]] for row in view.rows}
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
    assert "“compiling pays” does not hold here: Cython is 2.00× as fast as Python" in told
    (found,) = kinds.find(own.kind).sources(own, measured.read(home, own))
    assert [file.text for file in found.files] == ["cdef int x\n"]


def test_the_profile_s_recorded_numbers_are_those_of_the_slides():
    """The shares that the profiler's table of the slide gives: 3.17 s of 3.61 s in the function, 1.24 s of it inside
    ascontiguousarray; what is called is a pixel of 1024 x 1024."""
    rows = {row.label: row for row in entries.find("esrf-profile").rows}
    assert {row.recorded_calls for row in rows.values()} == {1024 * 1024, 1024 * 1024 + 1, None}
    assert rows["Python with tuples"].recorded_s == 36
    assert rows["Python with numpy"].recorded_s == 450
    whole = rows["Cython with numpy"].recorded_s
    assert rows["In ascontiguousarray"].recorded_s / whole == pytest.approx(1.240 / 3.613, rel=1e-3)


WALKED = {  # used, held, free pinned, as CuPy 14.2.0 left them on an H200
    "at the start": (0, 0, 0), "an array of 400 bytes": (512, 512, 0), "the array is gone": (0, 512, 0),
    "all blocks are freed": (0, 0, 0),
}  # fmt: skip


def walked(home, steps):
    shutil.rmtree(home / "lectures", ignore_errors=True)
    own = entries.find("cupy101-pool")
    rows = [{"step": step, **dict(zip(("used", "held", "pinned"), n, strict=True))} for step, n in steps.items()]
    put(home, own, [], pool={"device": "NVIDIA H200", "cupy": "14.2.0", "rows": rows})
    return own, shown(home, own)


@pytest.mark.parametrize("figure", ["cupy101-pool", "esrf-mask"])
def test_a_figure_of_which_a_file_says_nothing_is_said_to_be_without_numbers(home, figure):
    own = entries.find(figure)
    put(home, own, [])
    view = shown(home, own)
    assert (view.complete, view.summary) == (False, "Not made here: not measured")


def test_both_memory_pools_get_a_verdict_beside_what_the_slide_says(home):
    own, view = walked(home, WALKED)
    assert view.rows[1] == ["an array of 400 bytes", *"512 24,009,728 512 512 6,000,000,512 512 1 1 0".replace(
        ",", "\N{NARROW NO-BREAK SPACE}").split(" ")]  # fmt: skip
    assert view.sentences == [
        "Holds: bytes used are the same as in the slide's comments: 0, 512, 0 and 0.",
        "Holds: bytes held are the same as in the slide's comments: 0, 512, 512 and 0.",
        "Does not hold: free pinned blocks are 0, 1, 1 and 0 in the slide's comments, and 0, 0, 0 and 0 here.",
        "Does not hold: free pinned blocks are 1, 1, 1 and 0 in what was printed, and 0, 0, 0 and 0 here.",
        "Holds: changes of the bytes used from step to step are the same as in what was printed: 512, −512 and 0.",
    ]
    assert "NVIDIA H200" in writing.hardware(own, measured.read(home, own))
    as_promised = WALKED | {"an array of 400 bytes": (1024, 512, 1), "the array is gone": (0, 512, 1)}
    _, view = walked(home, as_promised)
    assert [sentence.split(":")[0] for sentence in view.sentences] == [
        "Does not hold", "Holds", "Holds", "Does not hold", "Does not hold"
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("free", "told"), [(1, "a pinned block was on its way back: 1 free"), (0, "no pinned block is free even when")]
)
def test_whether_a_pinned_block_was_on_its_way_back_is_looked_at(home, free, told):
    steps = list(WALKED.items())
    _, view = walked(home, dict([*steps[:3], ("pinned memory is asked for", (0, 512, free)), *steps[3:]]))
    assert f"With CuPy 14.2.0 {told}" in view.sentences[-1]


FAKE_CUPY = """
from types import SimpleNamespace

class Pool:
    used = held = 0
    limit = None
    def used_bytes(self): return self.used
    def total_bytes(self): return self.held
    def free_all_blocks(self): self.held = self.used
    def set_limit(self, size): self.limit = size

class Array:
    def __del__(self): pool.used -= 512

class Pinned:
    free, waiting = 0, 0
    def n_free_blocks(self): return self.free
    def free_all_blocks(self): self.free = self.waiting = 0

class OutOfMemoryError(Exception): pass

pool, pinned = Pool(), Pinned()
def get_default_memory_pool(): return pool
def get_default_pinned_memory_pool(): return pinned
def array(on_host):
    assert on_host.nbytes == 400
    pool.used += 512
    pool.held = max(pool.held, pool.used)
    pinned.waiting += 1
    return Array()
def empty(size, dtype):
    if size > pool.limit: raise OutOfMemoryError
def alloc(size):
    assert size > 512, "it would take the very block that came back"
    pinned.free, pinned.waiting = pinned.free + pinned.waiting, 0
    return object()
__version__ = "0"
cuda = SimpleNamespace(
    Device=lambda: SimpleNamespace(synchronize=lambda: None), alloc_pinned_memory=alloc,
    memory=SimpleNamespace(OutOfMemoryError=OutOfMemoryError),
    runtime=SimpleNamespace(getDeviceProperties=lambda number: {"name": b"a GPU"}))
"""


def test_the_walk_through_the_pools_takes_the_slide_s_steps(tmp_path, monkeypatch):
    """With pools that are told of a copy's end as CuPy's are, and not by waiting for the GPU."""
    (tmp_path / "cupy.py").write_text(FAKE_CUPY)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    seen = pool.walk()
    assert seen["device"] == "a GPU"
    assert [tuple(row.values()) for row in seen["rows"]] == [
        ("at the start", 0, 0, 0),
        ("an array of 400 bytes", 512, 512, 0),
        ("the array is gone", 0, 512, 0),
        ("pinned memory is asked for", 0, 512, 1),
        ("all blocks are freed", 0, 0, 0),
        ("twice the limit was asked for, and refused", 0, 0, 0),
    ]
    steps = [row["step"] for row in seen["rows"]]
    assert [step.step for step in entries.find("cupy101-pool").steps] == [step for step in steps if step in WALKED]


def test_lines_that_differ_on_the_slide_are_marked_in_both_of_its_scripts(home):
    """By hand: the imports, context and queue, and the two transfers."""
    own = entries.find("icsc23-similarity")
    left, right = sources.quoted(own)
    marked = [[file.text.splitlines()[n - 1] for n in file.differs] for file in (left, right)]
    assert marked == [
        ["import cupy as cp", "x1_dev = cp.array(x1)", "x2_dev = cp.array(x2)"],
        [
            "import pyopencl as cl", "import pyopencl.array as cl_array",
            "ctx = cl.create_some_context(interactive=False)", "queue = cl.CommandQueue(ctx)",
            "x1_dev = cl_array.to_device(queue, x1)", "x2_dev = cl_array.to_device(queue, x2)",
        ],
    ]  # fmt: skip
    pair = [{"name": "a.py", "text": "x = 1\ny = 2"}, {"name": "b.py", "text": "x = 1\ny = 3"}]
    shown_code = [{"kernel": "vector_sum", "implementation": name} for name in ("numba_njit", "numpy_sum")]
    mine = entry(kind="code", rows=[], over=None, code=shown_code, slide_code=pair)
    put(home, mine, [record("numba_njit", 1e-3), record("numpy_sum", 2e-3)])
    view = shown(home, mine)
    assert view.sentences[0] == "1 of 2 lines are the same in a.py and b.py on the slide; the others are marked."
    assert view.figure.columns[1] == ("b.py on the slide", [("x = 1", False), ("y = 3", True)])
    nameless = {"id": "a", "lecture": "own", "slide": "s", "title": "t", "kind": "ways", "measure": [PART]}
    assert "each of two needs a name" in refused(
        {"figures": [nameless | {"rows": ROWS, "slide_code": [pair[0], {"text": "z"}]}]}
    )


def test_the_page_stands_alone_and_escapes_what_it_is_given(home, tmp_path):
    shown_code = {"code": [{"kernel": "vector_sum", "implementation": "cffi_api"}]}
    quoted = {"slide_code": {"language": "c", "text": "if (a < b) <script>alert(1)</script>"}}
    own = entry(**shown_code, **quoted, corrected="a slip", recorded={"hardware": "an old machine"})
    other = entry(id="own-lines", kind="size", rows=[], over=None)
    put(home, own, [record("numpy_sum", 8e-3), record("cffi_api", 2e-3)])
    put(home, other, [record("numpy_sum", 8e-3), record("numpy_sum", 1e-3, 100)])
    report = tmp_path / "reports" / "synthetic"
    for each in (own, other):
        writing.write_figure(each, home, report)
        for kind in ("svg", "pdf", "png"):
            assert (report / "figures" / f"{each.id}.{kind}").stat().st_size > 1000
    text = writing.write_page(home, report, [own, other], [entry(id="own-absent")]).read_text()
    assert "Not measured here: <code>own-absent</code>." in text
    assert "<script>alert" not in text
    assert "Sums &lt;in&gt; C" in text
    for words in ("an old machine", "a slip", "on the slide", 'id="own-sum"', "4.00×", "vector_sum/cffi_api.py"):
        assert words in text
    assert not re.search(r'(src|href)="(https?:)?//', text)
    assert 'href="index.html"' not in text  # there is no report to lead to
    assert json.loads((home / "lectures" / "own-sum" / "view.json").read_text())["complete"]


def test_a_figure_of_ones_own_says_whether_its_claims_hold_beside_it_and_at_the_end(home, tmp_path, monkeypatch):
    """And the page takes the figures that were drawn, whatever else is declared."""
    own = entry(claims=[{"says": "C pays", "faster": "C", "than": "NumPy"}])
    put(home, own, [record("numpy_sum", 8e-3), record("cffi_api", 2e-3)])
    reports = tmp_path / "reports"
    writing.write_figure(own, home, reports / "synthetic")
    verdict = "“C pays” holds here: C is 4.00× as fast as NumPy (95 % interval 4.00× – 4.00×)."
    assert verdict in (reports / "synthetic" / "figures" / "own-sum.txt").read_text().splitlines()
    target = "reports/synthetic/figures/own-sum.svg"
    told = ending.end(config.parse({}), [], True, time.monotonic(), [target, "all"], tmp_path).splitlines()
    assert told[0] == f"Figure:   {tmp_path / target}"
    assert f"          {verdict}" in told
    monkeypatch.setattr(entries, "read", lambda: {"own-sum": own, "own-later": entry(id="own-later")})
    words = ["lecture", "page", "--machine", home.name, "--results", str(home.parent), "--reports", str(reports)]
    assert CliRunner().invoke(commands.app, words).exit_code == 0
    assert "Not measured here: <code>own-later</code>." in (reports / "synthetic" / "lectures.html").read_text()


def test_a_figure_not_measured_yet_is_one_message(home):
    with pytest.raises(InputError, match=r"measured\.json: cannot be read"):
        writing.write_figure(entry(), home, home / "reports")


# The rules


def planned(target, cwd, *arguments):
    """What a dry run that makes `target` says of its jobs."""
    done = dry_run("--cores", "1", *arguments, "--", target, cwd=cwd)
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def test_one_figure_alone_plans_what_it_needs_and_no_more(tmp_path):
    told = planned("reports/local/figures/icsc23-pi-timeit.pdf", tmp_path)
    assert re.findall(r"Measuring for the figure (\S+)", told) == ["icsc23-pi-timeit"]
    assert not re.search(r"Measuring \S+ on", told)
    built = re.findall(r"Building (\S+) with (\S+)", told)
    assert ("monte_carlo_pi", "cffi") in built
    assert {kernel for kernel, _ in built} == {"monte_carlo_pi", "limit_read"}


@pytest.mark.parametrize("arguments", [(), ("--configfile", str(project.ROOT / "config" / "lecture.yaml"))])
def test_all_figures_are_planned_with_the_lectures_own_file_or_without(tmp_path, arguments):
    told = planned("lecture", tmp_path, *arguments)
    for what in ("Measuring for", "Drawing"):
        assert set(re.findall(rf"{what} the figure (\S+)", told)) == set(entries.read())
    assert "Profiling the Python ways of inside_polygon" in told
    assert "Putting the lectures' figures" in told


def test_a_figure_that_is_not_declared_is_said_not_to_be(tmp_path):
    done = dry_run("--cores", "1", "reports/local/figures/nosuch.svg", cwd=tmp_path)
    assert done.returncode
    assert "there is no figure 'nosuch'. Figures: icsc23-pi-timeit" in done.stdout + done.stderr
