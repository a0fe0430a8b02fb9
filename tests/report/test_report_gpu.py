"""The report of a machine with a GPU, compared with the known properties of invented devices."""

import html
import json
import re
import shutil
import statistics

import pretended_results as records
import pretended_results.cpu
import pytest
from browser import look, needs_chromium
from pretended_results import UNMEASURED
from pretended_results import gpu as made
from read_results import read, write_report, write_tables
from report_page import Page, number, pages, read_pages

from accelbench.analysis import devices
from accelbench.decide import Answers
from accelbench.figures import style, svg
from accelbench.figures.lines import Line
from accelbench.model.gpu import Gpu
from accelbench.pages import machine as machine_facts
from accelbench.report import case_table, curves, heatmaps, views
from accelbench.report.page import named as page_named

pytestmark = [pytest.mark.usefixtures("svg_alone"), pytest.mark.slow]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = made.write(tmp_path_factory.mktemp("results") / "node")
    write_tables(folder)
    return folder


@pytest.fixture(scope="module")
def index(folder, tmp_path_factory, svg_alone):
    return write_report(folder, tmp_path_factory.mktemp("reports") / "node")


@pytest.fixture(scope="module")
def text(index):
    return read_pages(index)


@pytest.fixture(scope="module")
def page(text):
    return Page(text)


@pytest.fixture(scope="module")
def loaded(folder):
    return read(folder)


@pytest.fixture(scope="module")
def raw(folder):
    paths = sorted((folder / "timings").glob("*.jsonl"))
    return [json.loads(line) for path in paths for line in path.read_text(encoding="utf-8").splitlines()]


def find(raw, **values):
    return [r for r in raw if all(r[name] == value for name, value in values.items())]


def one(raw, **values):
    (found,) = find(raw, **values)
    return found


def measured(record, kind="compute"):
    return statistics.geometric_mean(map(statistics.median, record["timings"][kind]["samples_s"]))


def as_number(cell):
    """Return the number in a cell in base units: "4.31 TB/s" gives 4.31e12, "12.3 µs" 1.23e-5."""
    value, unit = cell.replace("\N{NO-BREAK SPACE}", " ").rsplit(" ", 1)
    prefixes = {"T": 1e12, "G": 1e9, "M": 1e6, "k": 1e3, "m": 1e-3, "µ": 1e-6, "n": 1e-9}
    return number(value) * prefixes.get(unit[0], 1.0) if unit not in ("s", "B/s", "flop/s") else number(value)


def plots_of(loaded, kernel, what):
    return {plot.name: plot for plot in views.kernel_plots(loaded, kernel)[what]}


def best_block(way):
    """Return the block with the highest invented efficiency among those that the GPU can run."""
    blocks = [b for b in made.BLOCKS if b <= made.MAX_BLOCK[made.GPU]]
    return max(blocks, key=lambda block: made.efficiency(way, block))


# Block sizes


def slowdowns(raw, kernel, name, blocks, **about):
    """Return {block size: time relative to the fastest block} of an implementation on the GPU."""
    times = {}
    for block in blocks:
        shape = [int(extent) for extent in block.split("x")]
        parameters = {"block_size": shape if len(shape) > 1 else shape[0]}
        times[block] = measured(
            one(raw, kernel=kernel, implementation=name, device=made.GPU, parameters=parameters, **about)
        )
    return {block: time / min(times.values()) for block, time in times.items()}


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_a_strip_shows_what_other_blocks_than_the_best_cost(page, raw, dtype):
    head, *rows = page.numbers(f"vector_multiply-blocks-{dtype}-h200")
    runnable = [str(b) for b in made.BLOCKS if b <= made.MAX_BLOCK[made.GPU]]
    assert head == ["implementation", "best", *runnable]
    ways = {name: way for name, way in made.DEVICE_WAYS["vector_multiply"].items() if way.blocks}
    assert {row[0] for row in rows} == ways.keys()
    for name, best, *cells in rows:
        assert made.efficiency(ways[name], int(best)) > 0.98 * made.efficiency(ways[name], best_block(ways[name]))
        own = slowdowns(raw, "vector_multiply", name, runnable, dtype=dtype, size=10**8)
        assert [number(cell) for cell in cells] == pytest.approx(list(own.values()), rel=2e-2)


def test_blocks_of_each_device_have_a_figure_of_their_own(loaded):
    plots = plots_of(loaded, "vector_multiply", "blocks")
    assert set(plots) == {f"vector_multiply-blocks-{d}-{n}" for d in ("float64", "float32") for n in ("h200", "pocl")}
    blocks = plots["vector_multiply-blocks-float64-pocl"].chart.table().columns[2:]
    assert [int(block) for block in blocks] == sorted(made.BLOCKS)
    assert "4096" in blocks


def test_blocks_of_two_dimensions_are_one_strip(page, raw):
    head, *rows = page.numbers("inside_polygon-blocks-float64-h200")
    within = {f"{x}x{y}" for x, y in made.BLOCKS_2D if x * y <= made.MAX_BLOCK[made.GPU]}
    assert set(head[2:]) == within
    assert {name for name, *_ in rows} == {"cupy_raw", "numba_cuda_jit", "pyopencl_raw"}
    for name, _, *cells in rows:
        own = slowdowns(raw, "inside_polygon", name, head[2:], dtype="float64", size=1024)
        assert [number(cell) for cell in cells] == pytest.approx(list(own.values()), rel=2e-2)


def test_two_block_sizes_have_no_figure(folder, tmp_path):
    squares = ([8, 8], [16, 16])
    narrow = _edited(
        folder, tmp_path, "inside_polygon", lambda r: r["parameters"].get("block_size") in (None, *squares)
    )
    plots = views.kernel_plots(read(narrow), "inside_polygon").get("blocks", [])
    assert "inside_polygon-blocks-float64-h200" not in [plot.name for plot in plots]


# Shares of the peak


@pytest.fixture(scope="module")
def shares(loaded):
    return {plot.name: plot for plot in views.peak_plots(loaded)}


def test_every_implementation_shows_its_share_of_the_peak(shares, raw):
    assert set(shares) == {f"peak-{d}-{t}" for d in ("h200", "cpu") for t in ("float64", "float32")}
    limits = made.LIMITS[made.GPU, None]
    rows = {(kernel, name.split(" · ")[0]): share for kernel, name, _, share in shares["peak-h200-float64"].rows}
    for name in made.DEVICE_WAYS["matmul"]:
        blocks = {0: [None], 1: made.BLOCKS, 2: made.BLOCKS_2D}[made.DEVICE_WAYS["matmul"][name].blocks]
        can = [block for block in blocks if not made.unsupported(name, made.GPU, block)]
        fastest = min(made.seconds("matmul", name, "float64", 4096, made.GPU, block) for block in can)
        *_, flops = made.cost("matmul", 4096, "float64")
        expected = 100 * flops / fastest / limits["matmul"]["float64"]
        assert float(rows["matmul", name].rstrip("%")) == pytest.approx(expected, abs=2.5)


def test_shares_of_the_peak_stand_where_they_are(shares, text):
    titles = re.findall(r"<title>([^<]*)</title>", text)
    for plot in shares.values():
        axes = plot.chart.draw().axes[0]
        drawn = {line.get_gid(): line for line in axes.lines if str(line.get_gid()).startswith("point")}
        dots = [(row, dot) for row, (_, own) in enumerate(plot.chart.rows) for dot in own]
        assert len(drawn) == len(dots) == len(plot.points) == len(plot.rows)
        for number_, (row, dot) in enumerate(dots):
            line = drawn[f"point{number_}"]
            assert (line.get_xdata()[0], line.get_ydata()[0]) == (dot.value, row)
            assert html.escape(plot.points[number_]) in titles


# Devices


def test_launch_bound_cases_are_marked_wherever_their_times_are_judged(page, raw):
    bound = {
        (r["implementation"], r["device"], r["size"], r["dtype"], tuple(r["parameters"].items()))
        for r in find(raw, kernel="vector_sum", outcome="ok")
        if "launch" in r["timings"] and measured(r, "launch") >= 0.8 * measured(r)
    }
    marked = [row for row in page.cases("vector_sum") if row["flags"] & 8]
    assert len(marked) == len(bound) > 0
    small = [row for row in marked if row["size"] == 10**4]
    assert small


def test_a_backend_without_any_time_has_the_reason_in_its_cell(folder, tmp_path):
    def failing(record):
        if record["backend"] == "pycuda":
            record |= {"outcome": "error", "reason": "it broke", **UNMEASURED}
        return True

    broken = _edited(folder, tmp_path, "vector_sum", failing)
    found = read(broken)
    plot, *_ = heatmaps.plots(found)
    assert {row[0]: row[1] for row in plot.rows}["pycuda · H200"] == "error pycuda_raw"


def test_what_is_not_written_for_a_kernel_is_blank_on_the_overview(folder):
    plot = next(plot for plot in heatmaps.plots(read(folder)) if plot.name == "overview-backends-float64")
    kernels = [column.split()[0] for column in plot.columns[1:]]
    assert {"vector_sum", "matmul", "vector_multiply"} <= set(kernels)
    shown = {name: dict(zip(kernels, cells, strict=True)) for name, *cells in plot.rows}
    assert "×" in shown["python"]["vector_sum"]
    assert shown["python"]["matmul"] == ""


def test_the_overview_shows_the_largest_size_that_cores_and_gpus_share(folder, tmp_path):
    """cupy_raw has no time at the shown size, so another implementation represents CuPy."""

    def shared(record):
        host = record["device"] == "cpu" and record["backend"] not in ("numpy", "python")
        return record["size"] < 10**8 if host else (record["implementation"], record["size"]) != ("cupy_raw", 10**6)

    found = read(_edited(folder, tmp_path, "vector_sum", shared))
    plot = next(plot for plot in heatmaps.plots(found) if plot.name == "overview-backends-float64")
    assert plot.columns == ["implementation", f"vector_sum {style.size(10**6)}"]
    assert "Larger sizes of vector_sum were measured, too, but not with all of these" in plot.note
    shown = dict(plot.rows)
    assert {"cffi", "numba", "numpy", "cupy · H200"} <= set(shown)
    assert all("×" in told for told in shown.values())


def test_the_overview_shows_the_largest_size_at_which_numpy_has_a_time(folder, tmp_path):
    def slow(record):
        if record["backend"] == "numpy" and record["size"] > 10**6:
            record |= {"outcome": "too_slow", "reason": "it would take 100 s", **UNMEASURED}
        return True

    found = read(_edited(folder, tmp_path, "vector_sum", slow))
    plot = next(plot for plot in heatmaps.plots(found) if plot.name == "overview-backends-float64")
    assert plot.columns == ["implementation", f"vector_sum {style.size(10**6)}"]
    assert "Larger sizes of vector_sum were measured, too" in plot.note
    assert "or not with NumPy" in plot.note
    assert {name for name, told in plot.rows if "×" in told} >= {"numpy", "cupy · H200", "numba"}


def test_other_leaders_in_another_place_of_the_data_are_told(text, loaded):
    answers = Answers(loaded)
    differing = [
        (answer, place)
        for family in answers.sizes
        for answer in answers.usual(family).at_sizes
        for place, other in answer.elsewhere.items()
        if page_named(other) != page_named(answer)
    ]
    races = "".join(re.findall(r'<div class="race">.*?</ol>', text, re.DOTALL))
    assert len(re.findall(r'class="tag">(?:pageable|kept|resident): ', races)) == len(differing) > 0


def test_the_facts_of_a_gpu_that_numbers_depend_on_are_told():
    gpu = Gpu(name="NVIDIA H200", memory_bytes=140 * 2**30, power_limit_w=700.0, ecc_mode=True)
    told = machine_facts.gpu_facts(gpu).replace("\N{NO-BREAK SPACE}", " ")
    assert told == "NVIDIA H200, 140 GiB, at most 700 W, ECC on"


def test_lines_that_end_early_are_not_named_for_their_end():
    look = style.Look(style.color("cython"), "o", "")
    lines = [Line(f"cython_{n}", look, [1, 10], [1.0, 2.0 + n]) for n in range(30)]
    lines.append(Line("cython_early", look, [1], [0.5]))
    muted = {line.label: line.muted for line in curves.mute(lines, {"numpy"})}
    assert not muted["cython_0"]
    assert muted["cython_early"]


def test_opencl_stands_once_for_each_device(page, loaded):
    _, *rows = page.numbers("overview-backends-float64")
    names = [row[0] for row in rows]
    assert {"pyopencl · H200", "pyopencl · PoCL", "cupy · H200"} <= set(names)
    assert len(names) == len(set(names))
    _, *rows = page.numbers("vector_sum-time-float64")
    assert {"pyopencl_raw · H200", "pyopencl_raw · PoCL"} <= {row[0] for row in rows}


def test_the_winner_says_where(text):
    state = re.search(r'<section class="state answer[^"]*" id="matmul">.*?</section>', text, re.DOTALL).group()
    assert re.search(r"<p><b>\w+ on H200", state)
    races = re.findall(r'<div class="race">.*?</ol>', text, re.DOTALL)
    cells = [cell for race in races for cell in re.findall(r"<li class.*?</li>", race, re.DOTALL)]
    assert cells
    first = [re.search(r'class="chip"[^>]*>([^<]+)<', cell)[1] for cell in cells]
    assert all(" on H200" in name for name in first if name.startswith("cupy"))
    assert any(" on " in name for name in first)


def test_the_overview_begins_with_the_best_of_each_backend(page, raw, loaded):
    head, *rows = page.numbers("overview-backends-float64")
    shown = {row[0]: dict(zip(head, row, strict=True)) for row in rows}
    assert {"numpy", "cupy · H200", "pyopencl · H200", "pyopencl · PoCL"} <= set(shown)
    speedup, name = shown["cupy · H200"]["matmul 4 096"].rsplit(" ", 1)
    assert name == "cupy_matmul"
    about = {"kernel": "matmul", "dtype": "float64", "size": 4096}
    numpy = min(measured(one(raw, **about, implementation="numpy_blas", threads=t)) for t in made.THREADS)
    cupy = measured(one(raw, **about, implementation="cupy_matmul"))
    assert number(speedup) == pytest.approx(numpy / cupy, rel=0.01)


def test_what_transfers_cost(page, raw):
    head, *rows = page.numbers("vector_sum-transfers-float64")
    assert [name.split()[0] for name in head[1:]] == ["data", "from", "from"]
    (row,) = (row for row in rows if row[0] == "cupy_array")
    about = {"kernel": "vector_sum", "dtype": "float64", "size": 10**8}
    case = one(raw, **about, implementation="cupy_array")
    expected = [measured(case, kind) for kind in ("compute", "end_to_end_pinned", "end_to_end")]
    assert [as_number(cell) for cell in row[1:]] == pytest.approx(expected, rel=2e-2)
    assert expected == sorted(expected)


def test_cases_tell_occupancy_registers_and_energy(page, raw):
    rows = [
        r
        for r in page.cases("vector_sum")
        if (r["implementation"], r["size"], r["dtype"]) == ("cupy_raw", 10**8, "float64")
    ]
    row = next(row for row in rows if row["block"][0] == "256")
    about = {"kernel": "vector_sum", "implementation": "cupy_raw", "dtype": "float64", "size": 10**8}
    case = one(raw, **about, parameters={"block_size": 256})
    assert row["occupancy"] == pytest.approx(made.occupancy(made.DEVICE_WAYS["vector_sum"]["cupy_raw"], 256))
    assert row["registers"] == 24
    assert row["energy a call"] == pytest.approx(case["energy_j"], rel=1e-3)
    assert row["end to end, pinned"] == pytest.approx(measured(case, "end_to_end_pinned"), rel=6e-3)
    assert row["speedup"] > row["speedup of a call"] > row["pinned"] > row["speedup end to end"]


def test_a_missing_library_is_one_row_for_each_reason(folder, tmp_path):
    reason = "package pycuda not installed: pip install pycuda"

    seen = set()

    def forget(record):
        if record["backend"] == "pycuda":
            key = record["implementation"], record["dtype"], record["size"]
            if key in seen:
                return False
            seen.add(key)
            record |= {"outcome": "unavailable", "reason": reason, "parameters": {}, "device": None, **UNMEASURED}
        return True

    without = _edited(folder, tmp_path, "vector_multiply", forget)
    text = read_pages(write_report(without, tmp_path / "report"))
    page = Page(text)
    rows = [row for row in page.table("Outcomes that are not ok") if row[2] == "unavailable"]
    assert len(rows) == 1
    ways = [name for name in made.DEVICE_WAYS["vector_multiply"] if name.startswith("pycuda")]
    assert rows[0][:4] == ["vector_multiply", f"pycuda: {len(ways)} implementations", "unavailable", str(6 * len(ways))]
    assert reason in rows[0][4]
    assert rows[0][4].count("python -m accelbench case") == 1
    assert "pycuda" not in str(page.numbers("overview-speedup-float64"))
    assert not [row for row in page.cases("vector_multiply") if row["outcome"] == "unavailable"]
    assert f"{6 * len(ways)} further cases" in text


def test_blocks_too_large_are_one_row(page, raw):
    rows = [row for row in page.table("Outcomes that are not ok") if "block size 2048 exceeds" in row[4]]
    too_large = [r for r in raw if r["reason"] == "block size 2048 exceeds the device's limit of 1024"]
    assert [row[3] for row in rows] == [str(len(too_large))]
    assert rows[0][0] == f"{len({r['kernel'] for r in too_large})} kernels"


# Sixty implementations


def test_of_many_lines_the_best_are_drawn_and_all_are_in_the_numbers(loaded):
    plot = plots_of(loaded, "vector_multiply", "time")["vector_multiply-time-float64"]
    lines = plot.chart.lines
    assert len(lines) > 50
    named = [line.label for line in lines if not line.muted]
    assert len(named) <= curves.MOST_LINES
    colors = {line.look.color for line in lines}
    assert {line.look.color for line in lines if not line.muted} == colors
    assert min(lines, key=lambda line: line.y[-1]).label in named
    assert "numpy_multiply" in named
    assert [sign.label for sign in plot.key] == named
    assert [row[0] for row in plot.rows] == [line.label for line in lines]
    texts = {drawn.get_text() for drawn in plot.chart.draw().axes[0].texts}
    assert {*named, f"in grey: {len(lines) - len(named)} more, see the numbers"} <= texts


def test_few_lines_are_all_named(loaded):
    plot = plots_of(loaded, "matmul", "time")["matmul-time-float64"]
    assert not any(line.muted for line in plot.chart.lines)


def test_the_page_stays_small_with_thousands_of_cases(page, raw, index):
    cases = sum(len(page.cases(kernel)) for kernel in made.SIZES)
    assert cases == len([r for r in raw if not r["kernel"].startswith("peak_")])
    assert cases > 1500
    assert max(path.stat().st_size for path in pages(index)) < 1_500_000


def test_coordinates_are_rounded_and_words_are_not(index):
    picture = (index.parent / "figures" / "report" / "vector_sum-time-float64.svg").read_text(encoding="utf-8")
    shown = svg.for_page(picture.replace(">10⁴<", ">0.123456<"), "x")
    assert ">0.123456<" in shown
    assert not re.search(r'\bd="[^"]*\d\.\d{2}', shown)


def test_equal_short_names_of_devices_are_numbered():
    found = devices.short_names(["NVIDIA H200", "PoCL a", "PoCL b", "Very long name of a device"])
    assert found["NVIDIA H200"] == "H200"
    assert {found["PoCL a"], found["PoCL b"]} == {"PoCL", "PoCL #2"}
    assert len(found["Very long name of a device"]) <= devices.LONGEST


@needs_chromium
def test_the_script_makes_the_rows(index, page):
    script = 'return (await visit("kernels/matmul.html")).contentDocument.documentElement.outerHTML;'
    made_page, _ = look(index.parent, script)
    head, *rows = Page(made_page).table("Cases of matmul")
    data = [row for row in page.cases("matmul") if row["size"] == 4096]
    assert len(rows) == min(len(data), 400)
    for row, cells in zip(data, rows, strict=False):
        if row["outcome"] != "ok":
            assert row["reason"] in cells
            continue
        shown = dict(zip(head, cells, strict=False))
        assert shown["implementation"] == row["implementation"]
        assert as_number(shown["time"]) == pytest.approx(row["time"], rel=6e-3)
        assert len(shown["time"]) <= len("12.3 ms") + 1
        assert shown["size"] == " ".join(style.size(4096).split())
        assert number(shown["speedup end to end"]) == pytest.approx(row["speedup end to end"], rel=6e-3)


def _of_one_kernel(folder, tmp_path, kernel):
    """Copy the results of one kernel and of the machine's peaks, without tables."""
    copy = tmp_path / "edited"
    shutil.copytree(folder, copy, ignore=shutil.ignore_patterns("tables"))
    for path in [*copy.glob("timings/*.jsonl"), *copy.glob("kernels/*.json")]:
        if path.stem != kernel and not path.stem.startswith("peak_"):
            path.unlink()
    return copy


def _edited(folder, tmp_path, kernel, keep):
    """Copy one kernel's results; `keep` returns whether a record is kept, and may change it."""
    copy = _of_one_kernel(folder, tmp_path, kernel)
    path = copy / "timings" / f"{kernel}.jsonl"
    records = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    path.write_text("".join(json.dumps(r) + "\n" for r in records if keep(r)), encoding="utf-8")
    return copy


def test_calls_in_a_loop_stand_beside_what_was_timed_apart_from_launching(tmp_path):
    kinds = {"launch": 1e-5, "throughput": 1.2e-5, "call": 2e-5, "end_to_end": 1e-3, **records.GPU}
    numpy = records.record("numpy_thing", compute=1e-4)
    cupy = records.record("cupy_raw", compute=1e-5, synchronises=True, unseen=False, **kinds)
    folder = records.save(tmp_path / "results", numpy, cupy)
    table = case_table.table(read(folder), "thing")
    heads = [column.head for column in table.columns]
    assert {"in a loop", "speedup in a loop"} < set(heads)
    flags = {name: 1 << bit for bit, name in enumerate(case_table.FLAGS)}
    marked = [each[len(heads)] for each in json.loads(str(table.data))["rows"]]
    assert sorted(marked) == [0, flags["launch_bound"] + flags["synchronises"]]
    page = read_pages(write_report(folder, tmp_path / "report"))
    assert "The host launches the calls as fast as it can" in page
