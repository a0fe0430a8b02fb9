"""The report: its numbers against ones computed here, its safety, its figures, and what it says to bad input."""

import html
import itertools
import json
import math
import re
import shlex
import shutil
import statistics
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
import synthetic_results as made
import yaml
from read_results import write_report
from report_page import Page, number

from accelbench.errors import InputError
from accelbench.figures import canvas, drawing, speedup_figures, style
from accelbench.model.record import OUTCOMES
from accelbench.pages import page as pages
from accelbench.report import case_table, curves, method, outcomes, views


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    folder = made.write(tmp_path_factory.mktemp("results") / "local")
    return folder


@pytest.fixture(scope="module")
def index(results, tmp_path_factory):
    return write_report(results, tmp_path_factory.mktemp("reports") / "local")


@pytest.fixture
def as_svg(monkeypatch):
    """For tests that draw a report of their own and look at no PDF or PNG, which take twice as long as all else."""
    monkeypatch.setattr(drawing, "DATELESS", {"svg": drawing.DATELESS["svg"]})


@pytest.fixture(scope="module")
def text(index):
    return index.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def page(text):
    return Page(text)


@pytest.fixture(scope="module")
def raw(results):
    """Every record as plain JSON: what the numbers below are computed from, without the package's help."""
    paths = sorted((results / "timings").glob("*.jsonl"))
    return [json.loads(line) for path in paths for line in path.read_text(encoding="utf-8").splitlines()]


def find(raw, **values):
    return [record for record in raw if all(record[name] == value for name, value in values.items())]


def sitting_medians(record, kind="compute"):
    return [statistics.median(samples) for samples in record["timings"][kind]["samples_s"]]


def three_digits(value):
    """3 significant digits written plainly, as people write them."""
    shown = f"{value:#.3g}".rstrip(".")
    return shown if "e" not in shown else f"{float(shown):.0f}"


def ratio_to_numpy(raw, record):
    same = {name: record[name] for name in ("kernel", "dtype", "size")}
    baselines = find(raw, implementation=made.BASELINES[record["kernel"]], **same)
    fastest = min(baselines, key=lambda b: statistics.geometric_mean(sitting_medians(b)))
    pairs = zip(sitting_medians(fastest), sitting_medians(record), strict=True)
    return statistics.geometric_mean(numpy / own for numpy, own in pairs)


# Numbers


def block_text(record):
    block = record["parameters"].get("block_size")
    return None if block is None else "x".join(map(str, block)) if isinstance(block, list) else str(block)


def case_key(record):
    names = ("implementation", "device", "dtype", "size", "threads")
    return *(record[name] for name in names), block_text(record)


def shown_key(row):
    names = ("implementation", "device", "dtype", "size", "threads")
    return *(row[name] for name in names), row["block"] and row["block"][0]


def test_every_case_has_a_row_with_its_own_time_and_speedup(page, raw):
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
            assert row["time"] == pytest.approx(statistics.geometric_mean(sitting_medians(record)), rel=1e-3)
            assert row["speedup"] == pytest.approx(ratio_to_numpy(raw, record), rel=1e-3)
            assert row["reason"] is None
            assert bool(row["flags"] & 1) == record["noisy"]
            assert bool(row["flags"] & 2) == record["cache_resident"]


def test_what_is_unavailable_is_counted_and_not_listed(page, text, raw):
    missing = find(raw, kernel="inside_polygon", outcome="unavailable")
    words = f"{len(missing)} further cases of numba: unavailable, {missing[0]['reason']}"
    assert words in " ".join(re.sub(r"<[^>]+>", "", text).split())
    assert not [row for row in page.cases("inside_polygon") if row["outcome"] == "unavailable"]


def test_the_heatmap_shows_the_speedup_of_the_fastest_case_at_the_largest_size(page, raw):
    head, *rows = page.table("Numbers of: Speedup over NumPy at the largest size, float64")
    assert head == ["implementation", "inside_polygon", "monte_carlo_pi int64", "vector_multiply", "vector_sum"]
    cells = {row[0]: dict(zip(head, row, strict=True)) for row in rows}
    for kernel in ("inside_polygon", "vector_multiply", "vector_sum"):
        for implementation in made.KERNELS[kernel]:
            size = made.SIZES[kernel][-1]
            found = find(raw, kernel=kernel, implementation=implementation, dtype="float64", size=size)
            cell = cells[implementation][kernel]
            if found[0]["outcome"] != "ok":
                assert not cell[:1].isdigit()
                assert cell != ""
            else:
                best = max(ratio_to_numpy(raw, record) for record in found)
                # the block size is chosen on one half of the rounds and reported from the other
                assert number(cell.split(" (")[0]) == pytest.approx(best, rel=0.01)
    assert cells["python_sum"]["inside_polygon"] == ""


def test_the_winner_at_the_largest_size_heads_the_page(text):
    for kernel in made.KERNELS:
        dtype, size = made.DTYPES[kernel][0], made.SIZES[kernel][-1]
        times = {
            name: made.seconds(kernel, name, dtype, size, threads, block)
            for name, way in made.KERNELS[kernel].items()
            for threads in (made.THREADS if way.threaded else (1,))
            for block in (way.blocks or (None,))[-1:]
            if made.failure(kernel, name, dtype, size) is None
        }
        tile = re.search(rf'<a href="#{kernel.replace("_", "-")}"><span class="tile-title">.*?</a>', text, re.DOTALL)
        names = re.findall(r"--c: [^>]*>([a-z_]+)</span>", tile.group())
        assert min(times, key=times.get) in names


def test_caches_are_marked_where_the_working_set_outgrows_them():
    points = [(10.0**n, 8 * 10.0**n) for n in range(2, 8)]
    assert curves.crossing(points, 2**20) == pytest.approx(2**20 / 8)
    assert curves.crossing(points, 2**40) is None
    assert curves.crossing(points, None) is None


def test_the_page_says_how_much_time_went_into_samples(text):
    assert "55\N{NO-BREAK SPACE}% of 4 min 0 s" in text


def test_what_was_run_can_be_run_again(text):
    shown = re.findall(r'<pre class="code log" tabindex="0"><code>(preset:.*?)</code>', text, re.DOTALL)
    assert [yaml.safe_load(html.unescape(code)) for code in shown] == [
        {
            "preset": "default",
            "protocol": {"processes": 3},
            "machines": {"local": {}},
            "kernels": {kernel: {"options": {}} for kernel in made.KERNELS},
        }
    ]
    assert "0123abcd" * 5 in text
    assert "it had uncommitted changes" in text


def test_the_room_is_told_in_shares(text):
    assert re.search(r"stolen by the host</dt><dd>0\.50%", text)


def test_formulas_keep_their_lines(text):
    assert '<pre class="code">    out = a &lt; b\n    &amp; more</pre>' in text


def test_outcomes_are_counted_and_each_failure_has_reason_and_command(page, text, raw):
    body = page.table("Outcomes that are not ok")[1:]
    counts = {o: len([r for r in raw if r["outcome"] == o]) for o in OUTCOMES}
    assert all(counts.values()), "the invented results hold every outcome"
    for outcome, count in counts.items():
        assert f"<b>{count}</b> {outcome.replace('_', ' ')}" in text
    for kernel, implementation, outcome, cases, explanation in body:
        alike = find(raw, kernel=kernel, implementation=implementation, outcome=outcome.replace(" ", "_"))
        assert int(cases) == len(alike)
        assert " ".join(alike[0]["reason"].split()) in explanation
        commands = 1 if outcome == "unavailable" else len(alike)
        assert explanation.count("python -m accelbench case") == commands
    assert sum(int(row[3]) for row in body) == sum(count for outcome, count in counts.items() if outcome != "ok")


def test_commands_survive_the_shell():
    for case in ("vector_sum/numpy_sum/float64/100/cpu", "a b/$(rm x)/`id`", "it's/one"):
        assert shlex.split(outcomes.rerun_command(case)) == ["python", "-m", "accelbench", "case", case]


# Safety and self-containment


def test_nothing_from_files_becomes_markup(page, text):
    assert [attrs.get("type") for attrs in page.all("script")] == ["application/json"] * len(made.KERNELS) + [None]
    assert any(made.HOSTILE in row["reason"] for row in page.cases("vector_sum") if row["reason"])
    assert "<script>alert" not in text
    assert "alert(&#39;owned&#39;)" in text
    assert "<b>bold</b>" not in text
    assert "<i>& co</i>" not in text


def test_the_page_needs_nothing_beyond_itself(page, text, index):
    assert not page.all("link")
    assert not re.search(r"@import|url\((?!#)", text)
    assert not [attrs for _, attrs in page.elements if "src" in attrs]
    assert not [name for _, attrs in page.elements for name in attrs if name.startswith("on")]
    ids = {attrs["id"] for _, attrs in page.elements if "id" in attrs}
    for attrs in page.all("a"):
        target = attrs["href"]
        assert target[1:] in ids if target.startswith("#") else (index.parent / target).is_file(), target
    assert index.stat().st_size < 5_000_000


def test_ids_are_unique_and_references_hold(page, text):
    ids = [attrs["id"] for _, attrs in page.elements if "id" in attrs]
    assert len(ids) == len(set(ids))
    for attrs in page.all("use"):
        assert attrs["href"][1:] in ids
    for reference in re.findall(r"url\(#([^)]+)\)", text):
        assert reference in ids
    for attrs in page.all("label"):
        assert "for" not in attrs or attrs["for"] in ids


def test_annotation_pages_travel_with_the_report(page, index):
    links = [attrs["href"] for attrs in page.all("a") if attrs["href"].startswith("build/")]
    assert len(links) == sum(name.startswith("cython") for ways in made.KERNELS.values() for name in ways)
    assert (index.parent / links[0]).read_text(encoding="utf-8").startswith("<!doctype html>")


# Figures


def test_every_figure_has_words_numbers_and_three_files(page, index):
    drawings = [attrs for attrs in page.all("div") if attrs.get("role") == "img"]
    names = [attrs["id"].removeprefix("figure-") for attrs in page.all("figure")]
    assert len(drawings) == len(names) == len(page.all("svg"))
    for attrs in drawings:
        assert len(attrs["aria-label"]) > 40
    for attrs, name in zip(drawings, names, strict=True):
        title = attrs["aria-label"].split(". ")[0]
        assert len(page.table(f"Numbers of: {title}")) > 1
        folder = index.parent / "figures" / "report"
        root = ElementTree.parse(folder / f"{name}.svg").getroot()
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        assert (folder / f"{name}.pdf").read_bytes().startswith(b"%PDF")
        assert (folder / f"{name}.png").read_bytes().startswith(b"\x89PNG")
    for what in ("time", "speedup", "threads", "blocks"):
        assert f"vector_sum-{what}-float32" in names
    assert not [name for name in names if name.startswith(("roofline", "overview-backends")) or "transfers" in name]
    assert "monte_carlo_pi-startup" in names


def test_drawn_lines_end_where_their_numbers_do():
    look = style.Look("#000000", "o", "-")
    line = canvas.Line("one", look, [10, 1000], [1e-6, 1e-4], [0.9e-6, 0.9e-4], [1.1e-6, 1.1e-4])
    figure = speedup_figures.against_size([line], "elements", [("L2", 100)], "time")
    curve = next(drawn for drawn in figure.axes[0].lines if drawn.get_gid() == "line0-curve")
    assert list(curve.get_ydata()) == [1e-6, 1e-4]
    assert figure.axes[0].get_xscale() == figure.axes[0].get_yscale() == "log"


def test_what_is_implausible_is_hatched_and_does_not_lead():
    look = style.Look("#000000", "o", "-")
    lazy = canvas.Line("lazy", look, [10, 1000], [1e-6, 1e-9], implausible=[False, True])
    right = canvas.Line("right", look, [10, 1000], [1e-6, 1e-4], implausible=[False, False])
    axes = speedup_figures.against_size([lazy, right], "elements", [], "time").axes[0]
    (hatched,) = (drawn for drawn in axes.collections if drawn.get_hatch())
    assert hatched.get_offsets().tolist() == [[1000, 1e-9]]
    told = views._fastest_at_end([lazy, right], style.seconds, lowest=True)
    assert "the lead is with right" in told
    assert told.endswith(views.HATCHED)
    assert views._fastest_at_end([lazy], style.seconds, lowest=True) == views.HATCHED
    cells = [[speedup_figures.Cell(3.0, implausible=True), speedup_figures.Cell(2.0)]]
    axes = speedup_figures.heatmap(["lazy"], ["#000000"], ["a", "b"], cells).axes[0]
    assert [patch.get_xy() for patch in axes.patches if patch.get_hatch()] == [(0.0, 0.0)]
    assert [views._cell_text(cell) for cell in cells[0]] == ["3.00× (implausible)", "2.00×"]


@pytest.mark.usefixtures("as_svg")
def test_one_size_alone_is_drawn_as_a_ranking(results, tmp_path):
    folder = _only(results, tmp_path / "results", "monte_carlo_pi", lambda r: r if r["size"] == 10**7 else None)
    index = write_report(folder, tmp_path / "report")
    page = Page(index.read_text(encoding="utf-8"))
    _, *rows = page.table("Numbers of: Time at size 10⁷, int64")
    assert {row[0] for row in rows} >= {"numpy_random", "pyopencl_raw", "numba_parallel"}
    names = {path.stem for path in (tmp_path / "report" / "figures" / "report").iterdir()}
    assert {"monte_carlo_pi-threads-int64", "monte_carlo_pi-blocks-int64", "monte_carlo_pi-time-int64"} <= names
    assert "monte_carlo_pi-speedup-int64" not in names


def test_rankings_put_the_fastest_on_top():
    look = style.Look("#000000", "o", "-")
    slow, fast = (canvas.Line(name, look, [64], [y], [y], [y]) for name, y in (("slow", 2e-3), ("fast", 1e-6)))
    axes = speedup_figures.ranking([slow, fast]).axes[0]
    bottom, top = axes.get_ylim()
    assert [label.get_text() for label in axes.get_yticklabels()] == ["fast", "slow"]
    assert bottom > top


def test_numpy_that_beats_the_baseline_is_told(text):
    told = re.findall(r"With NumPy or SciPy too, and faster than the baseline:(.*?) Speedups refer", text, re.DOTALL)
    plain, scanline = (made.KERNELS["inside_polygon"][name] for name in ("numpy_vectorised", "numpy_scanline"))
    work = 1024 * 1024
    expected = (plain.overhead_s + plain.element_s * work) / (scanline.overhead_s + scanline.element_s * work)
    (words,) = told
    assert re.search(r">numpy_scanline<.* up to ", words)
    assert float(re.search(r"up to ([\d.]+)×", words)[1]) == pytest.approx(expected, rel=0.05)
    assert "(size 1\N{NARROW NO-BREAK SPACE}024, float64" in words


def test_backticks_become_code_and_nothing_else():
    assert pages.code_marks("`a < b` <i>") == "<code>a &lt; b</code> &lt;i&gt;"


@pytest.mark.usefixtures("as_svg")
def test_figures_of_an_earlier_report_do_not_stay(results, tmp_path):
    stale = tmp_path / "figures" / "report" / "gone-time-float64.svg"
    stale.parent.mkdir(parents=True)
    stale.touch()
    write_report(_only(results, tmp_path / "one", "monte_carlo_pi"), tmp_path)
    assert not stale.exists()
    assert (tmp_path / "figures" / "report" / "monte_carlo_pi-time-int64.svg").exists()


@pytest.mark.parametrize("places", [[0.5] * 9, [0, 0, 1, 1], [0.1, 0.5, 0.51, 0.9], [1.0], [0.98, 0.99, 1.0]])
def test_labels_keep_their_order_and_distance(places):
    gap = 0.1
    moved = canvas.spread(places, gap)
    assert all(b - a >= gap - 1e-9 for a, b in itertools.pairwise(moved))
    assert moved[0] >= -1e-9
    assert moved[-1] <= 1 + 1e-9


def test_labels_with_room_stay_where_they_are():
    assert canvas.spread([0.1, 0.4, 0.9], 0.1) == pytest.approx([0.1, 0.4, 0.9])


# Colours. Simulated after Viénot, Brettel and Mollon (Color Research and Application 24, 1999), distances in CIELAB:
# neither is what the colours were chosen by.

DICHROMATS = {
    "protan": [[0.11238, 0.88762, 0.0], [0.11238, 0.88762, 0.0], [0.00401, -0.00401, 1.0]],
    "deutan": [[0.29275, 0.70725, 0.0], [0.29275, 0.70725, 0.0], [-0.02234, 0.02234, 1.0]],
    "normal": np.eye(3),
}


def linear(color):
    channels = np.array([int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    return np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)


def luminance(color):
    return float(linear(color) @ [0.2126, 0.7152, 0.0722])


def lab(rgb):
    xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]) @ np.clip(rgb, 0, 1)
    x, y, z = np.cbrt(np.maximum(xyz / [0.9505, 1.0, 1.089], 0.008856))
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("vision", DICHROMATS)
@pytest.mark.parametrize("palette", [style.LIGHT, style.DARK])
def test_backends_are_told_apart_by_the_colour_blind(palette, vision):
    """Those of one's own by everybody else; for the colour-blind they differ in their markers."""
    colors = {name: color for name, color in palette.items() if vision == "normal" or not name.startswith("own-")}
    seen = {name: lab(np.array(DICHROMATS[vision]) @ linear(color)) for name, color in colors.items()}
    distances = {(a, b): np.linalg.norm(seen[a] - seen[b]) for a, b in itertools.combinations(seen, 2)}
    assert min(distances.values()) > 10, min(distances, key=distances.get)


@pytest.mark.parametrize(("palette", "background"), [(style.LIGHT, "#ffffff"), (style.DARK, "#14171b")])
def test_backends_stand_out_from_the_page(palette, background):
    assert palette.keys() == style.LIGHT.keys()
    for color in palette.values():
        bright, dim = sorted([luminance(color), luminance(background)], reverse=True)
        assert (bright + 0.05) / (dim + 0.05) >= 2.9


def test_implementations_of_one_backend_have_markers_of_their_own():
    looks = style.looks(dict.fromkeys((f"cffi_{n}" for n in range(10)), "cffi"))
    cffi = [look for name, look in looks.items() if name.startswith("cffi")]
    assert len({look.marker for look in cffi}) == len(cffi)
    assert {look.color for look in cffi} == {style.LIGHT["cffi"]}


def test_backends_of_ones_own_are_told_apart():
    own = ["jax", "pythran", "pyarrow", "torch", "numexpr", *(f"new{n}" for n in range(5))]
    looks = style.looks({f"{backend}_way": backend for backend in own})
    assert len({look.color for look in looks.values()}) == 5
    assert len({(look.color, look.marker) for look in looks.values()}) == len(own)
    assert {look.color for look in looks.values()}.isdisjoint({style.OTHER_LIGHT, style.LIGHT["numpy"]})
    assert style.looks({"jax_way": "jax"})["jax_way"].color == looks["jax_way"].color


def test_both_themes_define_every_colour_the_page_uses(text):
    css = re.search(r"<style>(.*?)</style>", text, re.DOTALL).group(1)
    themes = [block for block in re.findall(r"\{([^{}]*)\}", css) if "--b-numpy:" in block]
    root = re.search(r":root \{(.*?)\}", css, re.DOTALL).group(1)
    used = set(re.findall(r"var\((--[a-z-]+)\)", text)) - {"--c", "--natural", "--sans", "--mono"}
    assert len(themes) == 3
    assert used <= set(re.findall(r"(--[a-z-]+):", themes[0] + root))
    for dark in themes[1:]:
        assert used <= set(re.findall(r"(--[a-z-]+):", dark))


# Units


@pytest.mark.parametrize(
    ("value", "shown"),
    [(1.2345e-5, "12.3 µs"), (0.9999e-3, "1.00 ms"), (3.0, "3.00 s"), (4.2e-10, "0.420 ns"), (None, "–")],
)
def test_seconds(value, shown):
    assert style.seconds(value).replace("\N{NO-BREAK SPACE}", " ") == shown


@pytest.mark.parametrize(("value", "shown"), [(1000, "10³"), (10**7, "10⁷"), (1024, "1 024"), (100, "100"), (0, "0")])
def test_sizes(value, shown):
    assert style.size(value).replace("\N{NARROW NO-BREAK SPACE}", " ") == shown


@pytest.mark.parametrize("value", [0.01234, 1.005, 9.999, 12.34, 277.4, 12345.6])
def test_ratios_have_three_digits(value):
    assert number(style.ratio(value)) == pytest.approx(value, rel=5e-3)
    assert not math.isnan(number(style.ratio(value)))


# Sparse and bad input


def _only(results, folder, kernel, edit=lambda record: record):
    """A copy of the results with one kernel and its tables; `edit` changes its records, or drops them with None."""
    for name in ("timings", "kernels"):
        (folder / name).mkdir(parents=True)
    shutil.copyfile(results / "machine.json", folder / "machine.json")
    shutil.copyfile(results / "kernels" / f"{kernel}.json", folder / "kernels" / f"{kernel}.json")
    lines = (results / "timings" / f"{kernel}.jsonl").read_text(encoding="utf-8").splitlines()
    edited = [json.dumps(record) for line in lines if (record := edit(json.loads(line))) is not None]
    (folder / "timings" / f"{kernel}.jsonl").write_text("\n".join(edited) + "\n", encoding="utf-8")
    return folder


@pytest.mark.usefixtures("as_svg")
def test_one_process_gives_neither_winner_nor_verdict(tmp_path):
    folder = made.write(tmp_path / "results", sittings=1, kernels=("monte_carlo_pi",))
    text = write_report(folder, tmp_path / "report").read_text(encoding="utf-8")
    assert "measured in a single process: ratios have no intervals" in text
    assert "The interval of a time describes that one process alone" in text
    assert "Bands are 95 % intervals within the one process." in text
    assert {row["verdict"] for row in Page(text).cases("monte_carlo_pi") if row["outcome"] == "ok"} == {""}


@pytest.mark.usefixtures("as_svg")
def test_what_scatters_is_unsettled_and_no_tie(results, tmp_path):
    def scatter(record):
        if (record["implementation"], record["size"]) == ("ctypes_c", 10_000_000):
            compute = record["timings"]["compute"]
            factors = (1, 4, 60)
            compute["samples_s"] = [[t * f for t in own] for f, own in zip(factors, compute["samples_s"], strict=True)]
        return record

    folder = _only(results, tmp_path / "results", "monte_carlo_pi", scatter)
    text = write_report(folder, tmp_path / "report").read_text(encoding="utf-8")
    (race,) = re.findall(r'<div class="race">.*?</div>', text, re.DOTALL)
    assert race.count("unsettled") == 1
    assert "unsettled: ctypes_c<" in race
    assert "tie of" not in race.split('<span class="size">')[-1]


@pytest.mark.usefixtures("as_svg")
def test_a_kernel_without_a_single_time_still_has_its_place(results, tmp_path):
    def crash(record):
        return record | {"outcome": "crashed", "reason": "SIGILL", "timings": {}, "sittings": [], "startup": None}

    folder = _only(results, tmp_path / "results", "monte_carlo_pi", crash)
    text = write_report(folder, tmp_path / "report").read_text(encoding="utf-8")
    assert "SIGILL" in text
    assert "monte_carlo_pi-time" not in text


def _cut(path):
    path.write_text(path.read_text(encoding="utf-8")[:40], encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "damage"),
    [
        ("machine.json", lambda path: path.unlink()),
        ("machine.json", _cut),
        ("machine.json", lambda path: path.write_text('{"schema_version": 99}')),
        ("kernels/monte_carlo_pi.json", _cut),
        ("kernels/monte_carlo_pi.json", lambda path: path.unlink()),
        ("timings/monte_carlo_pi.jsonl", _cut),
        ("timings/monte_carlo_pi.jsonl", lambda path: path.write_text("")),
    ],
)
def test_damaged_files_are_named_and_an_older_report_stays(results, tmp_path, name, damage):
    folder = _only(results, tmp_path / "results", "monte_carlo_pi")
    index = tmp_path / "report" / "index.html"
    index.parent.mkdir()
    index.write_text("older")
    damage(folder / name)
    with pytest.raises(InputError) as error:
        write_report(folder, tmp_path / "report")
    assert name in str(error.value)
    assert error.value.remedy
    assert index.read_text() == "older"


def test_the_share_of_checking_is_that_of_the_runs_that_recorded_their_steps():
    def run(wall_s, **steps_s):
        return {"wall_s": wall_s, **({"steps_s": steps_s} if steps_s else {})}

    runs = [run(80.0, inputs=4.0, compare=2.0, sample=50.0), run(20.0, checking=4.0), run(500.0)]
    assert method.checking_share(runs) == 0.1
    assert method.checking_share([run(500.0)]) is None


def test_the_script_has_a_word_for_each_flag_of_a_case():
    script = (pages.STATIC / "page.js").read_text()
    words = re.search(r"const FLAGS = \[(.*?)\]", script)[1].split(", ")
    assert len(words) == len(set(words)) == len(case_table.FLAGS)
