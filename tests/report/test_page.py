"""The report's page: its numbers compared with numbers computed here, its escaping of hostile text, its figures."""

import html
import json
import operator
import re
import shlex
import statistics
import xml.etree.ElementTree as ElementTree
from types import SimpleNamespace

import pytest
import yaml
from examples import rendered
from pretended_results import HOSTILE
from pretended_results import cpu as made
from read_results import published_table, write_report
from report_page import Page, number, pages, read_pages

from accelbench import project
from accelbench.figures import style
from accelbench.model.record import OUTCOMES
from accelbench.pages import page as rendering
from accelbench.pages import source
from accelbench.pages.page import glossary
from accelbench.report import case_table, commands, curves
from accelbench.report.page import change


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    folder = made.write(tmp_path_factory.mktemp("results") / "local")
    return folder


@pytest.fixture(scope="module")
def index(results, tmp_path_factory, svg_alone):
    return write_report(results, tmp_path_factory.mktemp("reports") / "local")


@pytest.fixture(scope="module")
def text(index):
    return read_pages(index)


@pytest.fixture(scope="module")
def page(text):
    return Page(text)


@pytest.fixture(scope="module")
def raw(results):
    """Return every record as plain JSON, from which the tests compute numbers independently of the package."""
    paths = sorted((results / "timings").glob("*.jsonl"))
    return [json.loads(line) for path in paths for line in path.read_text(encoding="utf-8").splitlines()]


def find(raw, **values):
    return [record for record in raw if all(record[name] == value for name, value in values.items())]


def repetition_medians(record, kind="compute"):
    return [statistics.median(samples) for samples in record["timings"][kind]["samples_s"]]


def ratio_to_numpy(raw, record):
    same = {name: record[name] for name in ("kernel", "dtype", "size")}
    baselines = find(raw, implementation=made.BASELINES[record["kernel"]], **same)
    fastest = min(baselines, key=lambda b: statistics.geometric_mean(repetition_medians(b)))
    return statistics.geometric_mean(map(operator.truediv, *map(repetition_medians, (fastest, record))))


def block_text(record):
    block = record["parameters"].get("block_size")
    return None if block is None else "x".join(map(str, block)) if isinstance(block, list) else str(block)


def case_key(record):
    names = ("implementation", "device", "dtype", "size", "threads")
    return *(record[name] for name in names), block_text(record)


def shown_key(row):
    names = ("implementation", "device", "dtype", "size", "threads")
    return *(row[name] for name in names), row["block"] and row["block"][0]


def test_cases_each_have_a_row_with_their_own_time_and_speedup(page, raw):
    for kernel in made.KERNELS:
        records = [record for record in find(raw, kernel=kernel) if record["outcome"] != "unavailable"]
        shown = {shown_key(row): row for row in page.cases(kernel)}
        assert len(shown) == len(page.cases(kernel)) == len(records)
        for record in records:
            row = shown[case_key(record)]
            assert row["outcome"] == record["outcome"]
            if record["outcome"] != "ok":
                assert (row["reason"], row["time"]) == (record["reason"], None)
                continue
            assert row["time"] == pytest.approx(statistics.geometric_mean(repetition_medians(record)), rel=6e-3)
            assert row["speedup"] == pytest.approx(ratio_to_numpy(raw, record), rel=6e-3)
            assert row["baseline"] == made.BASELINES[kernel]
            within, following = row["its 95 % interval"], row["the next run's"]
            assert following[0] <= within[0] <= row["speedup"] <= within[1] <= following[1]
            if row["implementation"] != made.BASELINES[kernel]:
                assert following[0] < within[0]
                assert within[1] < following[1]
            assert row["reason"] is None
            assert bool(row["flags"] & 1) == record["noisy"]
            assert bool(row["flags"] & 2) == record["cache_resident"]


def test_cases_unavailable_are_counted_and_not_listed(page, text, raw):
    missing = find(raw, kernel="inside_polygon", outcome="unavailable")
    words = f"{len(missing)} further cases of numba: unavailable, {missing[0]['reason']}"
    assert words in " ".join(re.sub(r"<[^>]+>", "", text).split())
    assert not [row for row in page.cases("inside_polygon") if row["outcome"] == "unavailable"]


def test_heatmap_shows_the_fastest_case_of_each_backend_at_the_largest_size(page, raw):
    title = "Numbers of: Peak: the best of each backend over NumPy at the largest size, float64"
    head, *rows = page.table(title)
    names = ["inside_polygon", "monte_carlo_pi int64", "vector_multiply", "vector_sum"]
    sizes = [style.size(made.SIZES[name.split()[0]][-1]).replace("\N{NARROW NO-BREAK SPACE}", " ") for name in names]
    assert head == ["implementation", *(f"{name} {size}" for name, size in zip(names, sizes, strict=True))]
    cells = {row[0]: dict(zip(["implementation", *names], row, strict=True)) for row in rows}
    for kernel in ("inside_polygon", "vector_multiply", "vector_sum"):
        for backend in ("numpy", "cffi", "cython"):
            size = made.SIZES[kernel][-1]
            found = find(raw, kernel=kernel, backend=backend, dtype="float64", size=size, outcome="ok")
            best = max(ratio_to_numpy(raw, record) for record in found)
            # tolerance: the page chooses the fastest by leave-one-repetition-out
            assert number(re.split(r" \(| [a-z]", cells[backend][kernel])[0]) == pytest.approx(best, rel=0.01)
    assert cells["python"]["inside_polygon"].startswith("too slow ")


def test_winner_at_the_largest_size_heads_a_kernels_answer(text, raw):
    """A kernel's answer starts with the fastest implementation at the largest size, for calls with host arrays.

    The HTML contains the answer, so the page shows the answer without the script, too.
    """

    def call_s(record):
        kind = "end_to_end" if "end_to_end" in record["timings"] else "compute"
        return statistics.geometric_mean(repetition_medians(record, kind))

    for kernel in made.KERNELS:
        asked = {
            "kernel": kernel,
            "dtype": made.DTYPES[kernel][0],
            "size": made.SIZES[kernel][-1],
            "outcome": "ok",
        }
        fastest = min(find(raw, **asked), key=call_s)
        section = rf'<section class="state answer[^"]*" id="{style.slug(kernel)}">.*?</section>'
        sentence = re.search(r"<p><b>(.*?): [\d.]+.[mµn]?s a call", re.search(section, text, re.DOTALL).group())[1]
        assert fastest["implementation"] in sentence


def test_caches_are_marked_where_the_working_set_outgrows_them():
    points = [(10.0**n, 8 * 10.0**n) for n in range(2, 8)]
    assert curves.crossing(points, 2**20) == pytest.approx(2**20 / 8)
    assert curves.crossing(points, 2**40) is None
    assert curves.crossing(points, None) is None


def test_page_says_how_much_time_went_into_samples(text):
    assert "55\N{NO-BREAK SPACE}% of 4 min 0 s" in text


def test_run_can_be_run_again(text):
    shown = re.findall(r'<pre class="code log" tabindex="0"><code>(preset:.*?)</code>', text, re.DOTALL)
    assert [yaml.safe_load(html.unescape(code)) for code in shown] == [
        {
            "preset": "default",
            "protocol": {"repetitions": 3},
            "machines": {"local": {}},
            "kernels": {kernel: {"options": {}} for kernel in made.KERNELS},
        }
    ]
    assert "0123abcd" * 5 in text
    assert "it had uncommitted changes" in text


def test_what_two_runs_differ_by_is_borrowed_where_there_is_one(text):
    """A report of a single run uses the run-to-run variation of docs/method.md, 1.4 % for a host without a GPU."""
    words = "1.4\N{NO-BREAK SPACE}% (times on cores), estimated from machines of this kind"
    assert f"<dt>Two runs of this machine differ by</dt><dd>{words}</dd>" in text


def test_words_are_those_of_todays_rules(text):
    told = " ".join(html.unescape(re.sub(r"<[^>]+>", "", text)).split())
    for wrong in (
        "half of the rounds",
        "excludes 1×",
        "ratio of medians",
        "Speedups compare with the kernel's baseline",
    ):
        assert wrong not in told
    for right in ("lower quartiles", "the whole 95 % interval lies beyond 2 %", "predicts the ratio of another run"):
        assert right in told
    kinds = re.search(r"Kinds of time</h3>(.*?)</dl>", text, re.DOTALL)[1]
    assert {kind.split(" <")[0] for kind in re.findall(r"<dt>(.*?)</dt>", kinds)} >= {
        *("Time", "Call", "Launch", "End to end", "Upload, download")
    }


def test_room_is_told_in_shares(text):
    assert re.search(r"stolen by the host</dt><dd>0\.50%", text)


def test_formulas_keep_their_lines(text):
    assert '<pre class="code">    out = a &lt; b\n    &amp; more</pre>' in text


def test_outcomes_are_counted_and_each_failure_has_reason_and_command(page, text, raw):
    body = page.table("Outcomes that are not ok")[1:]
    counts = {o: len([r for r in raw if r["outcome"] == o]) for o in OUTCOMES}
    assert all(counts.values()), "the invented results lack an outcome"
    told = re.sub("</?dfn[^>]*>", "", text)
    for outcome, count in counts.items():
        assert f"<b>{count}</b> {outcome.replace('_', ' ')}" in told
    for kernel, implementation, outcome, cases, explanation in body:
        alike = find(raw, kernel=kernel, implementation=implementation, outcome=outcome.replace(" ", "_"))
        assert int(cases) == len(alike)
        assert " ".join(alike[0]["reason"].split()) in explanation
        commands = 1 if outcome == "unavailable" else len(alike)
        assert explanation.count("python -m accelbench case") == commands
    assert sum(int(row[3]) for row in body) == sum(count for outcome, count in counts.items() if outcome != "ok")


def test_commands_survive_the_shell():
    for case in ("vector_sum/numpy_sum/float64/100/cpu", "a b/$(rm x)/`id`", "it's/one"):
        told = shlex.split(commands.case(SimpleNamespace(kernels={}), case))
        assert told == ["python", "-m", "accelbench", "case", case]


def test_text_of_files_becomes_no_markup(page, text):
    data, scripts = ["application/json", None], [None]
    expected = data + 2 * scripts + data * len(made.KERNELS)
    assert [attrs.get("type") for attrs in page.all("script")] == expected
    assert any(HOSTILE in row["reason"] for row in page.cases("vector_sum") if row["reason"])
    assert "<script>alert" not in text
    assert "alert(&#39;owned&#39;)" in text
    assert "<b>bold</b>" not in text
    assert "<i>& co</i>" not in text


def test_idea_of_a_source_is_apart_from_the_rest():
    """The lines from a comment `idea:` to `end of idea` are separated from the rest of a source.

    All lines are kept in order, also if such a comment stands inside a token, such as a macro.
    """
    lines = ["/* a long", "   comment */", "// idea: the sum", "  sum += x[i];", "// end of idea", "y = 1 < 2;", ""]
    parts = source.parts("a.cu", "\n".join(lines))
    plain = [(idea, [html.unescape(re.sub("<[^>]+>", "", line)) for line in part]) for idea, part in parts]
    assert plain == [(False, lines[:2]), (True, lines[2:5]), (False, lines[5:])]
    macro = ["#define A  \\", "  /* idea: the sum */  \\", "    s += x;  \\", "  /* end of idea */  \\", "    t += s;"]
    assert [(idea, len(part)) for idea, part in source.parts("a.c", "\n".join(macro))] == [
        (False, 1),
        (True, 3),
        (False, 1),
    ]
    assert [idea for idea, _ in source.parts("a.py", "# an idea: no mark, but a comment\nx = 1\n")] == [False]


def test_pages_need_nothing_beyond_themselves(index):
    for path in pages(index):
        text = path.read_text(encoding="utf-8")
        page = Page(text)
        assert not page.all("link")
        assert not re.search(r"@import|url\((?!#)", text)
        assert not [attrs for _, attrs in page.elements if "src" in attrs]
        assert not [name for _, attrs in page.elements for name in attrs if name.startswith("on")]
        ids = {attrs["id"] for _, attrs in page.elements if "id" in attrs}
        for attrs in page.all("a"):
            target, _, anchor = attrs["href"].partition("#")
            drawn = re.sub(r"^((\.\./)?figures/report/.*)\.(pdf|png)$", r"\1.svg", target)  # these tests draw only SVG
            assert not target or (path.parent / drawn).is_file(), attrs
            if anchor and "=" not in anchor:
                there = Page((path.parent / target).read_text(encoding="utf-8")) if target else page
                assert target == "" or anchor in {each["id"] for _, each in there.elements if "id" in each}, attrs
        assert len(ids) >= 3
        assert path.stat().st_size < 2_000_000


def test_ids_are_unique_and_references_hold(index):
    for path in pages(index):
        text = path.read_text(encoding="utf-8")
        page = Page(text)
        ids = [attrs["id"] for _, attrs in page.elements if "id" in attrs]
        assert len(ids) == len(set(ids))
        for attrs in page.all("use"):
            assert attrs["href"][1:] in ids
        for reference in re.findall(r"url\(#([^)]+)\)", text):
            assert reference in ids
        for attrs in page.all("label"):
            assert "for" not in attrs or attrs["for"] in ids


def test_annotation_pages_travel_with_the_report(page, index):
    links = [attrs["href"] for attrs in page.all("a") if attrs["href"].startswith("../build/")]
    assert len(links) == sum(name.startswith("cython") for ways in made.KERNELS.values() for name in ways)
    assert (index.parent / "kernels" / links[0]).read_text(encoding="utf-8").startswith("<!doctype html>")


def test_figures_have_words_numbers_and_a_file(page, index):
    drawings = [attrs for attrs in page.all("div") if attrs.get("role") == "img"]
    names = [attrs["id"].removeprefix("figure-") for attrs in page.all("figure")]
    assert len(drawings) == len(names) == len([s for s in page.all("svg") if "--natural" in s.get("style", "")])
    for attrs in drawings:
        assert len(attrs["aria-label"]) > 40
    for attrs, name in zip(drawings, names, strict=True):
        title = attrs["aria-label"].split(". ")[0]
        assert len(page.table(f"Numbers of: {title}")) > 1
        folder = index.parent / "figures" / "report"
        root = ElementTree.parse(folder / f"{name}.svg").getroot()
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert "vector_sum-time-float32" in names
    assert not [name for name in names if name.startswith("peak-") or "transfers" in name]
    assert "monte_carlo_pi-startup" in names


def test_backticks_become_code_and_nothing_else():
    assert rendering.code_marks("`a < b` <i>") == "<code>a &lt; b</code> &lt;i&gt;"


def test_both_themes_define_every_colour_the_page_uses(text):
    css = re.search(r"<style>(.*?)</style>", text, re.DOTALL).group(1)
    themes = [block for block in re.findall(r"\{([^{}]*)\}", css) if "--b-numpy:" in block]
    root = re.search(r":root \{(.*?)\}", css, re.DOTALL).group(1)
    used = set(re.findall(r"var\((--[a-z-]+)\)", text)) - {"--c", "--at", "--natural", "--sans", "--mono"}
    assert len(themes) == 3
    assert used <= set(re.findall(r"(--[a-z-]+):", themes[0] + root))
    for dark in themes[1:]:
        assert used <= set(re.findall(r"(--[a-z-]+):", dark))


def test_script_has_a_word_for_each_flag_of_a_case():
    script = (rendering.STATIC / "page.js").read_text()
    words = re.search(r"const FLAGS = \[(.*?)\]", script)[1].split(", ")
    assert len(words) == len(set(words)) == len(case_table.FLAGS)


def test_terms_that_pages_explain_stand_in_the_glossary(text):
    templates = project.ROOT.glob("workflow/accelbench/*/templates/*.jinja")
    asked = [re.findall(r'(?:term|head)\("([^"]+)"', path.read_text(encoding="utf-8")) for path in templates]
    terms = {term for several in asked for term in several}
    assert len(terms) > 8
    assert terms <= glossary().keys()
    told = {html.unescape(tip) for tip in re.findall(r'data-tip="([^"]*)"', text)}
    assert len(told) > 6
    assert told <= set(glossary().values())


def test_a_winner_without_a_time_of_the_baseline_is_told_by_its_own():
    """NumPy's mandelbrot exceeds the maximum time of a call, so the baseline has no time."""
    folder = rendered("h200-today")
    table = published_table("h200-today").query("kernel == 'mandelbrot'")
    assert {*table[table.backend == "numpy"].outcome} == {"too_slow"}
    tile = re.search(r'<ol class="sizes">.*?</ol>', (folder / "kernels" / "mandelbrot.html").read_text(), re.DOTALL)[0]
    assert re.search(r'<span class="gain">[\d.]+\sµs</span><span class="tag">no time of the baseline<', tile)
    resident = re.search(r"resident: .*?([\d.]+)\sµs", re.sub(r"<[^>]*>", "", tile), re.DOTALL)
    assert float(resident[1]) * 1e-6 == pytest.approx(table.compute_s.min(), rel=0.02)
    assert "–" not in tile


@pytest.mark.parametrize(
    ("shift", "told"),
    [(None, "–"), (0.14, "14\N{NO-BREAK SPACE}%"), (7.7, "a factor of 8.7"), (1.0, "a factor of 2")],
)
def test_great_changes_are_told_as_factors(shift, told):
    assert change(shift) == told


def test_a_page_carries_scripts_and_styles_without_what_is_for_their_readers():
    text = rendering.static(rendering.STATIC, "page.js")
    lines = text.splitlines()
    assert '"use strict";' in lines
    assert all(line == line.strip() and line for line in lines)
    assert not [line for line in (*lines, *rendering.css().splitlines()) if line.startswith(("//", "/*"))]
    for shade in ("data-theme=dark", "data-theme=light"):
        assert shade in rendering.css()
