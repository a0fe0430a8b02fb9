"""Slides: what stands on them, that it can be read and lies on the page, and the files of a deck."""

import csv
import importlib
import pkgutil
import re
from dataclasses import replace
from io import BytesIO

import pytest
import synthetic_results
from examples import EXAMPLES, machines
from lecture_figures import entry, put, record
from PIL import Image
from slide_charts import CHARTS, bars, lines, roofline, speedups
from slide_pages import boxes, outside, written
from typer.testing import CliRunner

import accelbench.figures
from accelbench.archive import publishing
from accelbench.cli import commands
from accelbench.errors import InputError
from accelbench.figures import canvas, style
from accelbench.figures.block_lines import BlockLine, BlockLines
from accelbench.figures.chart import Chart
from accelbench.figures.dumbbells import Dumbbells
from accelbench.figures.lines import LineChart
from accelbench.figures.listing import Listing
from accelbench.figures.parameter_maps import ParameterMap, ParameterMaps
from accelbench.figures.speedup_map import Cell, MapRow, SpeedupMap
from accelbench.figures.startup_bars import StartupBar, StartupBars
from accelbench.figures.thread_lines import ThreadLines
from accelbench.figures.transfer_speedups import TransferSpeedup, TransferSpeedups
from accelbench.figures.trend_lines import TrendLines
from accelbench.lectures import entries
from accelbench.pages import slides as slide_files
from accelbench.slides import code, figures, layout, writing

SOURCE = '"""Sums, by C."""\n\nimport numpy as np\n\n\ndef run(x):\n    return np.sum(x)  # a "comment"\n'
LONG = "def run(x):\n" + "".join(
    f"    total_{n} = first_function(x, {n}) + second_function(x, {n})\n" for n in range(60)
)


@pytest.fixture(autouse=True)
def styled():
    canvas.use_style()


def slide(chart, *texts, **keys):
    return layout.Slide(
        "own-sum", "Sums in C", chart, "laptop: 2 cores  ·  2026-11-24  ·  commit 0123abcd0123", texts, **keys
    )


ONE, TWO = (("run.py", SOURCE),), (("run.py", LONG), ("run.c", LONG))


def test_all_kinds_of_figures_of_slides_are_looked_at():
    for module in pkgutil.iter_modules(accelbench.figures.__path__, "accelbench.figures."):
        importlib.import_module(module.name)
    kinds, left = set(), [Chart]
    while left:
        own = left.pop().__subclasses__()
        kinds.update(own)
        left += own
    assert kinds - {type(each.values[0]) for each in CHARTS} == {LineChart, TrendLines, Dumbbells}  # of other pages


@pytest.mark.parametrize("texts", [(), pytest.param(ONE, marks=pytest.mark.slow), TWO], ids=len)
@pytest.mark.parametrize("chart", CHARTS)
def test_everything_can_be_read_and_lies_on_a_page_of_16_to_9(chart, texts):
    sheets = layout.sheets(slide(chart, *texts))
    for sheet in sheets:
        width, height = sheet.figure.get_size_inches()
        assert width / height == pytest.approx(16 / 9)
        assert (72 * width * sheet.scale, 72 * height * sheet.scale) == pytest.approx((1440, 810))
        assert min(written(sheet).values()) >= 17.99
        assert not outside(sheet)
        assert sheet.scale >= layout.ENOUGH - 1e-9
    said = {what for sheet in sheets for what in written(sheet)}
    assert any(what.startswith("Sums in C") for what in said)
    assert any("commit 0123abcd0123" in what for what in said)
    assert all(any(name == what for what in said) for name, _ in texts)
    assert len({sheet.name for sheet in sheets}) == len(sheets)


def readable(sheet):
    return min(written(sheet).values()) >= 17.99 and not outside(sheet)


@pytest.mark.parametrize("example", machines("h200x2"))
def test_everything_can_be_read_on_every_slide_of_an_example(example):
    slides = figures.every(EXAMPLES / example)
    assert any(isinstance(each.chart, SpeedupMap) for each in slides)
    assert [sheet.name for each in slides for sheet in layout.sheets(each) if not readable(sheet)] == []


def test_no_cell_of_a_map_is_lost():
    columns = [f"kernel_{n}" for n in range(17)]
    cells = [[Cell(100.0 * row + column + 1) for column in range(17)] for row in range(30)]
    wide = SpeedupMap([MapRow(f"numba_{n}", "#000000", own) for n, own in enumerate(cells)], columns)
    found = [(row.label, x, cell) for part in layout.parts(wide) for row in part.rows
             for x, cell in zip(part.columns, row.cells, strict=True)]  # fmt: skip
    assert sorted(found, key=str) == sorted(
        ((f"numba_{n}", x, cell) for n, own in enumerate(cells) for x, cell in zip(columns, own, strict=True)), key=str
    )


def test_rows_without_a_cell_stand_on_no_part_of_a_wide_map():
    columns = [f"kernel_{n}" for n in range(20)]
    rows = [MapRow(f"own_{n}", "#000000", [Cell(2.0) if n == x else None for x in range(20)]) for n in range(20)]
    for part in layout.parts(SpeedupMap(rows, columns)):
        assert [row.label.removeprefix("own") for row in part.rows] == [x.removeprefix("kernel") for x in part.columns]


def test_no_row_and_no_line_is_lost():
    sheets = layout.sheets(slide(speedups(60)))
    said = [what for sheet in sheets for what in written(sheet)]
    assert len(sheets) > 1
    assert all(said.count(f"numba_{n}") == 1 for n in range(60))
    (chart,) = layout.parts(lines(45))
    assert sum(line.muted for line in chart.lines) == 45 - sum(not line.muted for line in chart.lines) > 20
    assert not chart.lines[44].muted  # what is furthest from the others keeps its name
    said = written(*layout.sheets(slide(lines(45))))
    assert f"and {sum(line.muted for line in chart.lines)} more, not drawn" in said
    assert "see the" not in " ".join(said)  # there are no numbers under it


def test_every_kernel_stands_under_one_roof_with_all_that_runs_it():
    whole = roofline(12)
    parts = list(layout.parts(whole))
    assert len(parts) > 1
    assert [kernel for part in parts for kernel in part.best] == list(whole.best)
    assert [point for part in parts for point in part.shown] == whole.shown
    assert all(part.ridge == whole.ridge for part in parts)


def test_what_is_said_under_the_title_has_room_or_is_left_out():
    said = ("Take C: " + "it is fast and small and well known, " * 4, "NumPy is slower.", "And " * 60 + "so on.")
    (plain,), (sheet,) = (layout.sheets(slide(lines(3), ("run.py", SOURCE), said=told)) for told in ((), said))
    told = " ".join(written(sheet))
    assert "".join(said[0].split()) in "".join(told.split())
    assert "NumPy is slower." in told
    assert "so on" not in told
    assert not outside(sheet)
    assert dict(boxes(sheet))["run.py"][3] < dict(boxes(plain))["run.py"][3]


def test_source_stands_beside_a_figure_below_it_or_on_the_next_page():
    def place(chart):
        (first, *others) = layout.sheets(slide(chart, ("run.py", SOURCE)))
        found = dict(boxes(first)).get("run.py")
        return "next" if others else "beside" if found[0] > 0.5 else "below"

    assert place(lines(3)) == "beside"
    assert place(bars(3, "a name that is as long as names can be, in a table of numbers")) == "below"
    assert place(bars(9, "a name that is as long as names can be, in a table of numbers")) == "next"
    alone = layout.sheets(
        slide(
            bars(9, "a name that is as long as names can be, in a table of numbers"),
            ("run.py", SOURCE),
            needs_source=False,
        )
    )
    assert [sheet.name for sheet in alone] == ["own-sum"]


def test_figures_that_are_sources_are_shown_as_such():
    chart = Listing([("one.py", [("x = 1", False)]), ("two.py", [("y = 1", False)])])
    (sheet,) = layout.sheets(slide(chart, ("one.py", "x = 1"), ("two.py", "y = 1")))
    found = dict(boxes(sheet))
    assert found["one.py"][0] < 0.1 < 0.5 < found["two.py"][0]


# Lines of code


def joined(name, text, letters=200, most=200):
    """What is shown, as text again."""
    (lines,) = code.excerpts([(name, text)], letters=letters, rows=most + 1)
    return again(lines)


def again(lines):
    found = []
    for runs in lines:
        line = ""
        for column, run, _ in runs:
            line = line.ljust(column) + run
        found.append(line)
    return "\n".join(found)


def test_code_is_shown_as_it_is_but_for_the_docstring():
    assert joined("run.py", SOURCE) == SOURCE.partition('C."""')[2].strip()
    assert joined("run.c", "int x;\n\tint y;\n") == "int x;\n    int y;"


def test_what_is_marked_as_the_idea_is_all_that_is_shown():
    text = "import numpy\n# idea: add\ntotal = a + b\n# end of idea\nprint(total)\n"
    assert joined("run.py", text) == "total = a + b"


def test_parts_that_are_marked_stand_at_the_left():
    text = "void f()\n{\n    /* idea: add */\n    if (a)\n        b();\n    /* end of idea */\n}\n"
    assert joined("run.c", text) == "if (a)\n    b();"


def test_where_there_is_little_room_a_file_begins_where_it_computes():
    head = 'import a\nfrom b import (\n    c,\n)\n\nSOURCES = ("x.c",)\nITEMS = 8  # each\nKERNEL = a.kernel()\n\n\n'
    run = "def run(x):\n    return KERNEL(x)"
    assert joined("run.py", f"{head}{run}\n") == f"{head}{run}"
    assert joined("run.py", f"{head}{run}\n", most=10) == f"KERNEL = a.kernel()\n\n{run}"
    assert joined("run.pyx", "from libc cimport f\ncimport g\n\n\ncdef h():\n    f()\n", most=3) == "cdef h():\n    f()"
    program = "/* What it is about,\n   and more. */\n\n#include <math.h>\n#include <stdio.h>\n\nint f(void);\n"
    assert joined("run.c", program, most=5) == "int f(void);"


def test_a_figure_leads_to_all_its_parts_and_then_to_all_its_sources():
    names = ["own-sum-10", "own-sum-2", "own-sum-source-2", "own-sum-source", "own-sum", "own-sum-more"]
    found = slide_files.of_figure("own-sum", {name: {"SVG": name} for name in names})
    assert [part for part, _ in found] == ["", "2", "10", "source", "source-2"]


def test_macros_are_not_padded():
    assert joined("run.c", "#define F(x)     \\\n    g(x)         \\\n") == "#define F(x) \\\n    g(x) \\"


def test_files_share_the_rows_there_are_and_none_is_left_empty():
    short, long = (("\n".join(f"f({n})" for n in range(count))) for count in (5, 40))
    texts = [("a.py", long), ("b.c", short), ("c.c", long)]
    assert [len(each) for each in code.excerpts(texts, letters=99, rows=40)] == [15, 5, 15]
    assert [len(each) for each in code.excerpts(texts, letters=99, rows=90)] == [40, 5, 40]
    assert [len(each) for each in code.excerpts(texts[:1], letters=99, rows=27)] == [26]
    assert code.excerpts(texts, letters=99, rows=5 + 5 + 2 * code.LEAST - 1) is None


def test_sources_without_room_for_lines_that_say_something_stand_on_pages_of_their_own():
    low = bars(3, "a name that is as long as names can be, in a table of numbers")
    texts = [(f"run{n}.py", "\n".join(f"f({n})" for n in range(20))) for n in range(4)]
    sheets = layout.sheets(slide(low, *texts))
    assert [sheet.name for sheet in sheets] == ["own-sum", "own-sum-source", "own-sum-source-2"]
    assert not any(name in written(sheets[0]) for name, _ in texts)
    said = [what for sheet in sheets for what in written(sheet)]
    assert all(said.count(name) == 1 for name, _ in texts)
    assert "…" not in said
    few = layout.sheets(slide(low, *((name, text[:40]) for name, text in texts)))
    assert "own-sum-source-2" not in [sheet.name for sheet in few]


def test_long_lines_are_wrapped_between_words_and_too_many_are_cut():
    found = joined("run.py", LONG, letters=30, most=20).splitlines()
    assert len(found) == 20
    assert max(map(len, found)) <= 30
    assert found[-1] == "…"
    assert "".join("".join(found[:-1]).split()) == "".join(LONG.split())[: len("".join("".join(found[:-1]).split()))]
    assert joined("run.txt", "x" * 70, letters=30).replace("\n", "").replace(" ", "") == "x" * 70


def test_parts_of_a_line_are_indented_further_than_it_and_end_where_it_can_be_read_on():
    found = joined(
        "run.py",
        "for a in b:\n    total = functions.add(one, two, three)\n    d = module('saxpy.cu')['saxpy']",
        letters=28,
    )
    assert found.splitlines() == [
        "for a in b:",
        "    total = functions.add(",
        "        one, two, three)",
        "    d = module('saxpy.cu')[",
        "        'saxpy']",
    ]


def test_comments_keywords_and_strings_differ():
    colors = {run: color for runs in code.lines("run.py", SOURCE, letters=99) for _, run, color in runs}
    assert len({colors["def"], colors['# a "comment"'], style.INK}) == 3


# Files


@pytest.fixture
def measured(home, monkeypatch):
    """Results with one figure that was measured, which is all that is declared."""
    own = entry(code=[{"kernel": "vector_sum", "implementation": "cffi_api"}])
    put(home, own, [record("numpy_sum", 8e-3), record("cffi_api", 2e-3)])
    monkeypatch.setattr(entries, "read", lambda: {own.id: own, "own-later": entry(id="own-later")})
    return home


def invoke(home, reports, *options):
    words = ["slides", "--machine", home.name, "--results", home.parent, "--reports", reports, *options]
    return CliRunner().invoke(commands.app, list(map(str, words)))


def test_files_of_slides_and_decks(measured, tmp_path):
    folder = tmp_path / "reports" / measured.name / "slides"
    folder.mkdir(parents=True)
    (folder / "own-gone.svg").touch()
    assert invoke(measured, tmp_path / "reports").exit_code == 0
    assert sorted(path.name for path in folder.iterdir()) == [
        "own-sum.pdf", "own-sum.png", "own-sum.svg", "slides.md", "slides.pdf"
    ]  # fmt: skip
    svg = (folder / "own-sum.svg").read_text("utf-8")
    assert re.search(r'<svg [^>]*width="1440pt" height="810pt" viewBox="0 0 ([\d.]+) ([\d.]+)"', svg)
    for words in (
        "Sums &lt;in&gt; C",
        "local",
        "2025-11-20",
        "commit 0123abcd0123 with changes",
        "cffi_api.py",
        "4.00",
    ):
        assert words in svg, words
    assert "font-family:'DejaVu Sans Mono'" in svg
    assert "<script" not in svg
    assert not re.search(r'href="(?!#)', svg)
    for name in ("own-sum.pdf", "slides.pdf"):
        data = (folder / name).read_bytes()
        assert re.findall(rb"/MediaBox \[ 0 0 (\d+) (\d+) \]", data) == [(b"1440", b"810")]
        assert b"CreationDate" not in data
    assert Image.open(BytesIO((folder / "own-sum.png").read_bytes())).size == (1920, 1080)
    deck = (folder / "slides.md").read_text("utf-8")
    assert deck.startswith("---\nmarp: true\nsize: 16:9\n")
    pictures = re.findall(r"!\[bg contain\]\((.+?)\)", deck)
    assert pictures == ["own-sum.svg"]
    assert "://" not in deck
    assert "4.00×" in deck


def test_a_slide_in_markdown_cannot_be_left_by_what_it_says():
    text = writing.marp(slide(lines(2), summary="a ](b)", notes=("--> <script>", "---")), "own-sum.svg")
    assert text.count("-->") == 1
    assert "---" not in text
    assert text.startswith("\n![bg contain](own-sum.svg)\n")


def test_slides_of_the_report_follow_those_of_the_lectures(tmp_path, monkeypatch):
    folder = synthetic_results.write(tmp_path / "results" / "local", kernels=("vector_sum",))
    monkeypatch.setattr(entries, "read", dict)
    slides = {each.name: each for each in figures.every(folder)}
    time = slides["vector_sum-time-float64"]
    assert time.title == "vector_sum: Time against size, float64"
    assert time.texts
    assert "local" in time.footer
    assert "startup" in " ".join(slides)
    sheets = [
        sheet for name in ("vector_sum-time-float64", "vector_sum-startup") for sheet in layout.sheets(slides[name])
    ]
    assert all(min(written(sheet).values()) >= 17.99 for sheet in sheets)


def test_source_beside_a_figure_is_of_what_is_best_of_all_that_it_draws():
    """By the published tables: of blocks what was swept on that device, of threads what scales best, and what starts
    soonest, though on the whole machine a GPU's implementation wins."""

    def best(table, value, rows=lambda row: True):
        with (EXAMPLES / "h200" / "tables" / f"{table}.csv").open(newline="") as file:
            own = [r for r in csv.DictReader(file) if r["kernel"] == "inside_polygon" and r[value] and rows(r)]
        return min(own, key=lambda row: (-int(row.get("size", 0)), float(row[value])))

    slides = {each.name: [name for name, _ in each.texts] for each in figures.of_report(EXAMPLES / "h200")}
    blocks = best("regret", "best_s", lambda row: "PoCL" in row["device"])
    assert slides["inside_polygon-blocks-int32-pocl"][0] == f"{blocks['implementation']}.py"
    assert "cupy" not in blocks["implementation"]
    starting = best("startup", "startup_s")
    assert slides["inside_polygon-startup"] == [f"{starting['implementation']}.py"]
    threads = slides["inside_polygon-threads-int32"]
    assert threads
    assert not any("cu" in name for name in threads)
    assert slides["inside_polygon-time-int32"][0] == "cupy_raw_runs.py"


@pytest.mark.parametrize(
    ("chart", "leading"),
    [
        (lines(3), "numba_0"),
        (replace(lines(3), over="NumPy"), "numba_2"),
        (bars(3), ""),
        (Listing([("one.py", [("x = 1", False)])]), ""),
        (ThreadLines([replace(line, x=[1, 2], y=[1, 1 + n]) for n, line in enumerate(lines(3).lines)]), "numba_2"),
        (StartupBars([StartupBar("a", "#000000", (1, 0, 0, 0)), StartupBar("b", "#000000", (2, 0, 0, 0))]), "a"),
        (
            TransferSpeedups([TransferSpeedup(n, "#000000", (s,) * 4, n == "a") for n, s in (("a", 9.0), ("b", 2.0))]),
            "b",
        ),
        (ParameterMaps([ParameterMap(n, "#000000", {(1, 1): s}) for n, s in (("a", 2.0), ("b", 1.0))], "x", "y"), "b"),
    ],
)
def test_chart_says_what_leads_it(chart, leading):
    assert chart.leads() == leading


def test_blocks_are_led_by_the_best_of_all_that_is_not_implausible():
    found = ("a", [1.0, 9.0], []), ("b", [2.0, 2.0], []), ("c", [0.1, 3.0], [True, False])
    look = style.Look("#000000", "o", "-")
    lead = [BlockLine(name, look, [5, 6], own, implausible=bad) for name, own, bad in found]
    assert BlockLines(lead, {5: "32", 6: "64"}).leads() == "a"
    assert BlockLines(lead, {5: "32", 6: "64"}, "B/s").leads() == "a"
    assert BlockLines([lead[1], lead[2]], {5: "32", 6: "64"}, "B/s").leads() == "c"


def test_titles_and_notes_say_where_the_data_are_on_a_machine_with_an_accelerator(monkeypatch):
    monkeypatch.setattr(entries, "read", dict)
    slides = {each.name: each for each in figures.every(EXAMPLES / "h200x2")}
    where = "data where they are needed already (resident)"
    for each in slides.values():
        if not re.search("-startup$|-transfers-", each.name):
            assert ", data resident" in each.title, each.name
            assert where in writing.marp(each, "any.svg"), each.name


@pytest.mark.usefixtures("as_svg")
def test_publishing_takes_slides_along_and_rendering_keeps_them(tmp_path, monkeypatch):
    folder = synthetic_results.write(tmp_path / "results" / "local", kernels=("vector_sum",))
    monkeypatch.setattr(entries, "read", dict)
    monkeypatch.setattr(figures, "of_report", lambda home: [slide(lines(3), ("run.py", SOURCE))])
    publishing.publish(folder, "laptop", tmp_path / "laptop", slides=True)
    published = {"own-sum.svg", "slides.md", "slides.pdf"}
    assert {path.name for path in (tmp_path / "laptop" / "slides").iterdir()} == published
    publishing.render(tmp_path / "laptop")
    assert {path.name for path in (tmp_path / "laptop" / "slides").iterdir()} == published


@pytest.mark.parametrize(
    ("options", "told"), [(("--format", "ppt"), "is no format of slides"), ((), "holds nothing to show")]
)
def test_what_cannot_be_made_is_one_message(home, tmp_path, monkeypatch, options, told):
    monkeypatch.setattr(entries, "read", dict)
    done = invoke(home, tmp_path, *options)
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
    assert told in done.stderr
    with pytest.raises(InputError, match="there is no such folder"):
        figures.every(tmp_path / "nowhere")
